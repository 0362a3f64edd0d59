import { describe, expect, it } from 'vitest'
import { appendPointer, cutPointer } from '../../../src/contract/validation/json-pointer.ts'

describe('appendPointer', () => {
  it('escapes what RFC 6901 gives a meaning', () => {
    expect(appendPointer('/options', 'a/b~c')).toBe('/options/a~1b~0c')
  })

  it('leaves out all but the beginning of a long name', () => {
    expect(appendPointer('', 'x'.repeat(5_000))).toBe(`/${'x'.repeat(198)}…`)
  })

  it('never cuts a surrogate pair in two', () => {
    for (const shift of [0, 1]) {
      const pointer = cutPointer(`/${'y'.repeat(shift)}${'😀'.repeat(200)}`)
      expect(pointer).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
      expect(pointer.length).toBeLessThanOrEqual(200)
    }
  })
})
