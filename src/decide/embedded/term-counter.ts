/** Places of the table, more than twice the terms of the longest passage. */
const PLACES = 2 ** 14

/** Counts hashes of terms; `take` gives the distinct ones with their counts, and forgets them. */
export function createTermCounter() {
  const places = new Int32Array(PLACES)
  let used: number[] = []
  let hashes: number[] = []
  let counts: number[] = []

  const add = (hash: number): void => {
    let place = hash & (PLACES - 1)
    for (;;) {
      const entry = places[place] as number
      if (entry === 0) {
        hashes.push(hash)
        counts.push(1)
        // Past half of the places a term is listed again each time: the sum of its counts stays right.
        if (hashes.length > PLACES / 2) return
        places[place] = hashes.length
        used.push(place)
        return
      }
      if (hashes[entry - 1] === hash) {
        counts[entry - 1] = (counts[entry - 1] as number) + 1
        return
      }
      place = (place + 1) & (PLACES - 1)
    }
  }

  const take = () => {
    const taken = { hashes, counts }
    for (const place of used) places[place] = 0
    used = []
    hashes = []
    counts = []
    return taken
  }

  return { add, take }
}
