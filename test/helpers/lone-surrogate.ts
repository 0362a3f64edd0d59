/** Half a character: JSON can write it, and the strict parsers of the providers refuse it. */
export const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text)
