import { createSeededRandom, type SeededRandom } from '../../helpers/seeded-random.ts'
import type { JsonNode } from './json-texts.ts'

/** What the text of an edited value has to be. */
export type ExpectedText =
  /** One of these, byte for byte; several where equal values cannot be told apart. */
  | { readonly kind: 'kept'; readonly raws: readonly string[] }
  | { readonly kind: 'fresh'; readonly value: unknown }
  | {
      readonly kind: 'array'
      readonly elements: readonly ExpectedText[]
      readonly provesOrigin: boolean
    }
  | {
      readonly kind: 'object'
      readonly members: readonly (readonly [name: string, text: ExpectedText])[]
      readonly provesOrigin: boolean
    }

export interface JsonEdit {
  readonly after: unknown
  readonly expected: ExpectedText
}

/** Edits the value that the node is the text of, copy-on-write, in the way that the seed says. */
export const editJson = (value: unknown, node: JsonNode, seed: number): JsonEdit => {
  const random = createSeededRandom(seed)
  let fresh = 0

  const freshEdit = (): JsonEdit => {
    fresh += 1
    const text = `fresh ${fresh} é\ud83d`
    const after: unknown = random.pick([text, { [text]: text }, [text], { [text]: [[text], {}] }])
    return { after, expected: { kind: 'fresh', value: after } }
  }

  const keep = (kept: unknown, { raw }: JsonNode): JsonEdit => ({
    after: kept,
    expected: { kind: 'kept', raws: [raw] },
  })

  const edit = (before: unknown, part: JsonNode): JsonEdit => {
    if (part.elements !== undefined) return editArray(before as unknown[], part.elements)
    if (part.members !== undefined) return editObject(before as object, part.members)
    return freshEdit()
  }

  const editArray = (before: readonly unknown[], nodes: readonly JsonNode[]): JsonEdit => {
    const edits: JsonEdit[] = []
    for (const [index, element] of before.entries()) {
      if (random.chance(0.1)) edits.push(freshEdit())
      if (random.chance(0.25)) continue
      if (random.chance(0.35)) edits.push(edit(element, nodes[index]!))
      else if (isContainer(element)) edits.push(keep(element, nodes[index]!))
      else edits.push({ after: element, expected: keptPrimitive(element, before, nodes) })
    }
    if (random.chance(0.1)) edits.push(freshEdit())
    if (random.chance(0.2)) shuffle(edits, random)
    const elements = edits.map(({ expected }) => expected)
    return {
      after: edits.map(({ after }) => after),
      expected: { kind: 'array', elements, provesOrigin: edits.some(provesOrigin) },
    }
  }

  const editObject = (
    before: object,
    nodes: readonly { readonly name: string; readonly node: JsonNode }[],
  ): JsonEdit => {
    const members: (readonly [string, JsonEdit])[] = []
    for (const [index, { name, node: part }] of nodes.entries()) {
      if (nodes.findLastIndex((other) => other.name === name) !== index) continue
      if (random.chance(0.15)) continue
      const member = (before as Record<string, unknown>)[name]
      members.push([name, random.chance(0.3) ? edit(member, part) : keep(member, part)])
    }
    if (random.chance(0.2)) members.push(['new "name"', freshEdit()])
    return {
      // Own members, `__proto__` included.
      after: Object.fromEntries(members.map(([name, { after }]) => [name, after])),
      expected: {
        kind: 'object',
        members: members.map(([name, { expected }]) => [name, expected]),
        provesOrigin: members.some(([, member]) => provesOrigin(member)),
      },
    }
  }

  return edit(value, node)
}

/** Something that is the very same as before is in it, however deep: so what it was made from is known. */
const provesOrigin = ({ after, expected }: JsonEdit): boolean =>
  expected.kind === 'kept' ? isContainer(after) : expected.kind !== 'fresh' && expected.provesOrigin

const keptPrimitive = (
  element: unknown,
  before: readonly unknown[],
  nodes: readonly JsonNode[],
): ExpectedText => ({
  kind: 'kept',
  raws: nodes.filter((_, index) => Object.is(before[index], element)).map(({ raw }) => raw),
})

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

const shuffle = (items: unknown[], random: SeededRandom): void => {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1)
    ;[items[index], items[other]] = [items[other], items[index]]
  }
}
