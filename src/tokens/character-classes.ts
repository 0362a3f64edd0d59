import { readFileSync } from 'node:fs'

/**
 * What the patterns of o200k_base and cl100k_base tell apart. The order matters: letters of o200k_base's
 * word rules are MARK..LOWER, letters of cl100k_base's are CASELESS..LOWER.
 */
export const OTHER = 0
/** `\s` of Rust's regex, less `\r` and `\n`: has U+0085, lacks U+FEFF. */
export const SPACE = 1
/** `[\r\n]` */
export const NEWLINE = 2
/** `\p{N}` */
export const NUMBER = 3
/** `\p{M}` */
export const MARK = 4
/** `\p{Lm}`, `\p{Lo}` */
export const CASELESS = 5
/** `\p{Lu}`, `\p{Lt}` */
export const UPPER = 6
/** `\p{Ll}` */
export const LOWER = 7
/** Not a character: where the text ends. */
export const END = 8

/** A byte that no UTF-8 text has; it stands behind the last byte of a text and reads as END. */
export const END_BYTE = 0xff

/** One class per code point, 0x110000 bytes, of which the untouched zero pages cost no memory. */
export type CharacterClasses = Uint8Array

export const CODE_POINTS = 0x110000

/**
 * Reads the classes written by scripts/build-vocabulary.ts: runs of code points from U+0000 on, each a
 * varint of `length * 8 + class`. They are those of the Rust regex engine inside tiktoken, not of the
 * JavaScript engine that happens to run, whose Unicode version differs from one Node to the next.
 */
export function loadCharacterClasses(): CharacterClasses {
  const packed = readFileSync(new URL('./vocabulary/character-classes.bin', import.meta.url))
  const classes = new Uint8Array(CODE_POINTS)
  let codePoint = 0
  let value = 0
  let scale = 1
  for (const byte of packed) {
    value += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte >= 0x80) continue
    const end = codePoint + Math.floor(value / 8)
    if (value % 8 !== OTHER) classes.fill(value % 8, codePoint, end)
    codePoint = end
    value = 0
    scale = 1
  }
  if (codePoint !== CODE_POINTS) throw new Error('character-classes.bin does not cover Unicode')
  return classes
}

/** `characterAt` puts the width above this many bits of class. */
export const CLASS_BITS = 4
export const CLASS_MASK = (1 << CLASS_BITS) - 1

/**
 * Class and width in bytes, as `width << CLASS_BITS | class`, of the character that starts at `position`.
 * The text is well-formed UTF-8 closed by END_BYTE.
 */
export function characterAt(
  bytes: Uint8Array,
  position: number,
  classes: CharacterClasses,
): number {
  const lead = bytes[position] as number
  if (lead < 0x80) return (1 << CLASS_BITS) | (classes[lead] as number)
  return multibyteCharacterAt(bytes, position, classes)
}

/** The same where the character is known to have more than one byte, or to be the end. */
export function multibyteCharacterAt(
  bytes: Uint8Array,
  position: number,
  classes: CharacterClasses,
): number {
  const lead = bytes[position] as number
  const second = (bytes[position + 1] as number) & 0x3f
  if (lead < 0xe0) return (2 << CLASS_BITS) | (classes[((lead & 0x1f) << 6) | second] as number)
  const third = (bytes[position + 2] as number) & 0x3f
  const high = (second << 6) | third
  if (lead < 0xf0) return (3 << CLASS_BITS) | (classes[((lead & 0x0f) << 12) | high] as number)
  if (lead === END_BYTE) return END
  const fourth = (bytes[position + 3] as number) & 0x3f
  const codePoint = ((lead & 0x07) << 18) | (high << 6) | fourth
  return (4 << CLASS_BITS) | (classes[codePoint] as number)
}
