/** A level of a score as one text, for wires that know levels by their description alone. */
export function describeLevel(level: {
  readonly label: string
  readonly description?: string
}): string {
  return level.description === undefined ? level.label : `${level.label}: ${level.description}`
}
