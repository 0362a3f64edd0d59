/** A part that a shorter text could take the place of, and what that would save. */
export interface ReplacementCandidate {
  readonly entry: number
  readonly part: number
  readonly text: string
  readonly reason: 'old-tool-output' | 'old-media'
  readonly tokens: number
  /** At least so many; 0 where bytes are not limited. */
  readonly bytes: number
}
