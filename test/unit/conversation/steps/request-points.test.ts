import { describe, expect, it } from 'vitest'
import { requestPoints } from '../../../../src/conversation/steps/request-points.ts'
import type { Role } from '../../../../src/engine/transcript.ts'

const ROLES: Readonly<Record<string, Role>> = {
  i: 'instructions',
  u: 'user',
  a: 'assistant',
  t: 'tool',
}

const pointsOf = (letters: string) =>
  [...requestPoints([...letters].map((letter) => ({ role: ROLES[letter] as Role })))].join(' ')

describe('requestPoints', () => {
  it.each([
    ['', ''],
    ['u', '0'],
    ['iu', '1'],
    ['uau', '0 2'],
    ['uuau', '1 3'],
    ['uataata', '0 2 5 6'],
    ['uatt', '0 3'],
    ['uaau', '0 3'],
    ['ua', '0 1'],
    ['iua', '1 2'],
    ['au', '1'],
  ])('finds where an answer was asked for in %s', (letters, points) => {
    expect(pointsOf(letters)).toBe(points)
  })

  it('ends with the last entry, whatever that is', () => {
    for (const last of 'iuat') expect(pointsOf(`ua${last}`).endsWith('2')).toBe(true)
  })
})
