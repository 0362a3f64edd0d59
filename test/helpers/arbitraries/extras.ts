import fc from 'fast-check'
import type { JsonObject } from './types.ts'

/**
 * Members no schema knows, as JSON text: only JSON.parse makes an own `__proto__`, and it puts
 * numeric keys first whatever the text says. None collides with a member of a known message.
 */
const CURIOSITIES = [
  '{"__proto__":{"polluted":true}}',
  '{"10":"ten","2":["two"],"x_last":0}',
  '{"x_trace":{"spans":[1,{"__proto__":null,"7":{}},[[]]]}}',
  '{"constructor":{"prototype":{}},"toString":"own","hasOwnProperty":false}',
  '{"x_null":null,"x_false":false,"x_zero":0,"x_empty":"","x_big":1e21,"x_small":-0.5}',
  '{"":"empty key","x.y/z~0":"pointer"}',
  '{"x_😀":"\\u0000","x_nested":{"a":{"b":{"c":{}}}}}',
] as const

/** Unknown members for a message or a part; none in half of the cases. */
export const unknownMembers: fc.Arbitrary<JsonObject> = fc
  .oneof(
    { weight: 10, arbitrary: fc.constant('{}') },
    { weight: 7, arbitrary: fc.constantFrom(...CURIOSITIES) },
    {
      weight: 3,
      arbitrary: fc
        .jsonValue({ maxDepth: 2 })
        .map((value) => JSON.stringify({ x_anything: value })),
    },
  )
  .map((json) => JSON.parse(json))
