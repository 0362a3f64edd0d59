/** The bytes that JSON text is built of, in ASCII. */
export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPENING_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSING_BRACKET = 0x5d
export const OPENING_BRACE = 0x7b
export const CLOSING_BRACE = 0x7d

/** `[` and `{`, and `]` and `}`, differ in this bit alone, and no other ASCII pair ends up there. */
export const BRACKET_BIT = 0x20
