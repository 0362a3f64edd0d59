import { describe, expect, it } from 'vitest'
import { createEmbeddedDecider } from '../../../../src/decide/embedded/embedded-decider.ts'
import type { DecisionDocument } from '../../../../src/engine/ports.ts'
import { needed, questionsAbout } from './helpers.ts'

function said(role: 'user' | 'assistant', id: string, text: string): DecisionDocument {
  return { id, role, text }
}

function exchange(id: string, path: string, result: string): DecisionDocument {
  return { id, role: 'tool', text: `open({"file":"${path}"})\n${result}` }
}

/** Sixty readings of files that are about nothing in particular. */
function readings(count = 60): DecisionDocument[] {
  const words = ['lens', 'valve', 'seed', 'ramp', 'menu', 'pump', 'shelf', 'filter', 'gauge']
  return Array.from({ length: count }, (_, index) => {
    const word = words[index % words.length]
    const lines = Array.from({ length: 12 }, (_, line) => `${line}| ${word}.turn(${index + line})`)
    return exchange(`e${index}`, `lib/${word}_${index}.go`, lines.join('\n'))
  })
}

const underWay: DecisionDocument[] = [
  said('assistant', 'r1', 'open({"file":"lib/last.go"})'),
  { id: 'r2', role: 'tool', text: '1| package last' },
]

/** Probabilities near 1 differ by little; their odds say how far apart they are. */
function odds(probability = 0): number {
  return probability / (1 - probability)
}

async function neededInWork(judged: readonly DecisionDocument[], request = 'continue') {
  return needed(request, judged, { recent: underWay })
}

describe('a session whose request was just made', () => {
  it('needs the one exchange with a line that answers, however long the rest of it is', async () => {
    const judged = readings()
    const filler = Array.from({ length: 60 }, (_, line) => `${line}| roster.fold(${line})`)
    filler.splice(30, 0, 'licence of the planetarium expires in May')
    judged[20] = exchange('e20', 'lib/roster.go', filler.join('\n'))
    const probabilities = await needed('When does the licence of the planetarium expire?', judged)
    expect(probabilities[20]).toBe(Math.max(...probabilities))
    expect(probabilities[20]).toBeGreaterThan(0.2)
  })

  it('needs what answers each of several questions', async () => {
    const judged = readings()
    judged[10] = said('user', 'u1', 'The kiosk of the ferry stands in hall 4711.')
    judged[30] = exchange('e30', 'conf/tram.toml', 'tramway_timezone = "Osaka"')
    judged[50] = said(
      'assistant',
      'a1',
      'The draft of the orchard poster is saved as sketch-99.svg.',
    )
    const request =
      'In which hall does the ferry kiosk stand?\nWhat is tramway_timezone?\nAs what is the orchard draft saved?'
    const probabilities = await needed(request, judged)
    const highest = [...probabilities.keys()].sort(
      (a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0),
    )
    expect(new Set(highest.slice(0, 3))).toEqual(new Set([10, 30, 50]))
    for (const [line, index] of [10, 30, 50].entries()) {
      const alone = await needed(request.split('\n')[line] ?? '', judged)
      expect(probabilities[index]).toBeGreaterThanOrEqual((alone[index] ?? 1) - 1e-9)
    }
  })

  it('needs what the user said more than what the assistant or a tool said in the same words', async () => {
    const text = 'The aquarium gets no labels in red.'
    const neededAs = async (role: DecisionDocument['role']): Promise<number> => {
      const judged = readings()
      judged[20] = { id: 'x', role, text }
      return odds((await needed('Write the labels of the aquarium.', judged))[20])
    }
    const byUser = await neededAs('user')
    expect(byUser).toBeGreaterThan(2 * (await neededAs('assistant')))
    expect(byUser).toBeGreaterThan(2 * (await neededAs('tool')))
  })

  it('needs output that says what failed, where the request asks for a failure', async () => {
    const judged = readings()
    judged[20] = exchange(
      'e20',
      'logs/bakery.txt',
      'bakery: ran step 7\nbakery: fatal, pump refused',
    )
    judged[40] = exchange(
      'e40',
      'logs/bakery2.txt',
      'bakery: ran step 7\nbakery: done, pump started',
    )
    const asked = await needed('What went wrong in the bakery?', judged)
    const other = await needed('What did the bakery do?', judged)
    expect(odds(asked[20]) / odds(asked[40])).toBeGreaterThan(
      3 * (odds(other[20]) / odds(other[40])),
    )
  })

  it('needs the newest of two readings of a file', async () => {
    const judged = readings()
    judged[20] = exchange('old', 'lib/carousel.go', '1| carousel.turn(3)')
    judged[22] = exchange('new', 'lib/carousel.go', '1| carousel.turn(3)')
    const probabilities = await needed('Explain lib/carousel.go to me.', judged)
    expect(odds(probabilities[22])).toBeGreaterThan(2 * odds(probabilities[20]))
  })
})

describe('a session in which the work goes on', () => {
  it('answers although the request names nothing, and needs the newest most', async () => {
    const probabilities = await neededInWork(readings())
    expect(probabilities).toHaveLength(60)
    expect(
      probabilities.every((one, index) => index === 0 || one > (probabilities[index - 1] ?? 1)),
    ).toBe(true)
  })

  it('lets an exchange go that was repeated, and keeps what the user said', async () => {
    const judged = readings()
    judged[50] = exchange('old', 'lib/carousel.go', '1| carousel.turn(3)')
    judged[55] = exchange('new', 'lib/carousel.go', '1| carousel.turn(4)')
    judged[5] = said('user', 'u1', 'Never paint the carousel.')
    const probabilities = await neededInWork(judged)
    expect(probabilities[50]).toBeLessThan((probabilities[10] ?? 0) / 2)
    expect(probabilities[55]).toBeGreaterThan(probabilities[10] ?? 1)
    expect(probabilities[5]).toBeGreaterThan(probabilities[10] ?? 1)
  })

  it('has no opinion for such a request where it was just made', async () => {
    const judged = readings()
    const result = await createEmbeddedDecider().decide({
      site: 'relevance',
      questions: questionsAbout(judged),
      state: {
        fields: { current_request: 'continue' },
        recent: [...underWay, said('user', 'r3', 'continue')],
        documents: judged,
      },
      signal: new AbortController().signal,
    })
    expect(result.abstained).toBe(true)
    expect(result.answers.size).toBe(0)
  })
})
