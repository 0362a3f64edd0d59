import fc from 'fast-check'

/** JSON text with what it was put together from, so that no scanner is needed to know the parts. */
export interface JsonNode {
  readonly raw: string
  /** In the order of the text, those included that a later one of the same name replaces. */
  readonly members?: readonly { readonly name: string; readonly node: JsonNode }[]
  readonly elements?: readonly JsonNode[]
}

const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t', '\r\n')

const number = fc.constantFrom(
  ...['0', '-0', '0.0', '1', '1.0', '1e0', '1e5', '1E+2', '0.10', '-1.50e-3', '7', '1e400'],
  ...['12345678901234567890', '12345678901234567891', '9007199254740993'],
)

const STRING_PARTS = [
  ...['a', 'x'.repeat(30), 'é', '漢', '😀', '{', '[', ']', ',', ':', ' ', '\u007f'],
  ...['\\u00e9', '\\u0041', '\\"', '\\\\', '\\/', '\\n', '\\ud83d', '\\ude00', '\\\\\\"'],
]

export const stringText = fc
  .array(fc.constantFrom(...STRING_PARTS), { maxLength: 6 })
  .map((parts) => `"${parts.join('')}"`)

const scalar: fc.Arbitrary<JsonNode> = fc
  .oneof(number, stringText, fc.constantFrom('true', 'false', 'null'))
  .map((raw) => ({ raw }))

const key = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"role"', '"1"', '"10"', '"02"', '""', '"\\ud83d"'),
  fc.constantFrom('"__proto__"', '"constructor"', '"toJSON"', '"é"', '"\\u00e9"'),
  stringText,
)

export const arrayNode = (element: fc.Arbitrary<JsonNode>, maxLength = 6): fc.Arbitrary<JsonNode> =>
  fc
    .tuple(fc.array(fc.tuple(space, element, space), { maxLength }), space)
    .map(([slots, inner]) => ({
      raw: `[${slots.map(([before, { raw }, after]) => before + raw + after).join(',') || inner}]`,
      elements: slots.map(([, node]) => node),
    }))

const objectNode = (value: fc.Arbitrary<JsonNode>): fc.Arbitrary<JsonNode> =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.tuple(space, key, space, space), value, space), { maxLength: 6 }),
      space,
    )
    .map(([slots, inner]) => ({
      raw: `{${
        slots
          .map(
            ([[start, name, before, after], { raw }, end]) =>
              `${start}${name}${before}:${after}${raw}${end}`,
          )
          .join(',') || inner
      }}`,
      members: slots.map(([[, name], node]) => ({ name: JSON.parse(name) as string, node })),
    }))

/** Any JSON value, with every spelling that JSON.parse takes and JSON.stringify does not give. */
export const jsonNode: fc.Arbitrary<JsonNode> = fc.letrec<{ node: JsonNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    arrayNode(tie('node')),
    objectNode(tie('node')),
  ),
})).node

export interface JsonDocument {
  readonly text: Buffer
  readonly value: unknown
  readonly node: JsonNode
}

/** A value as a document, with white space around it and perhaps a byte order mark. */
export const documentOf = (node: fc.Arbitrary<JsonNode>): fc.Arbitrary<JsonDocument> =>
  fc
    .tuple(fc.constantFrom('', '', '\ufeff'), space, node, space)
    .map(([mark, before, whole, after]) => ({
      text: Buffer.from(mark + before + whole.raw + after),
      value: JSON.parse(whole.raw),
      node: whole,
    }))
