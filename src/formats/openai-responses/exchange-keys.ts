/** Finds the key under which the pairing knows the call that a result answers. */

export interface Exchanges {
  /** The call's key. `otherId` is a second name under which its result may ask for it. */
  readonly addCall: (type: string, id: string, otherId?: string) => string
  /** Undefined where no call before has this id, whatever its type. */
  readonly keyOfResult: (type: string, id: string) => string | undefined
  readonly addHosted: (id: string) => void
  /** The call ran at the provider, which wrote its result too. */
  readonly isHosted: (id: string) => boolean
  /** From here on, a result may answer a call that stands behind a reference or is compacted. */
  readonly addHidden: () => void
  readonly hasHidden: () => boolean
  /** Results of which no call can be seen. */
  readonly orphans: Set<number>
}

/**
 * Ids are those of the caller's, except where calls of two types have one id: each type then has
 * a key of its own, so that a result finds the call of its kind.
 */
export function createExchanges(): Exchanges {
  const keys = new Map<string, Map<string, string>>()
  const hosted = new Set<string>()
  let isHidden = false
  const addKey = (type: string, id: string, key?: string): string => {
    const known = keys.get(id)
    if (known === undefined) {
      const first = key ?? id
      keys.set(id, new Map([[type, first]]))
      return first
    }
    const own = known.get(type) ?? key ?? `${id} (${type})`
    known.set(type, own)
    return own
  }
  return {
    addCall: (type, id, otherId) => {
      const key = addKey(type, id)
      if (otherId !== undefined && otherId !== id) addKey(type, otherId, key)
      return key
    },
    keyOfResult: (type, id) => {
      const known = keys.get(id)
      return known?.get(type) ?? known?.values().next().value
    },
    addHosted: (id) => {
      hosted.add(id)
    },
    isHosted: (id) => hosted.has(id),
    addHidden: () => {
      isHidden = true
    },
    hasHidden: () => isHidden,
    orphans: new Set(),
  }
}
