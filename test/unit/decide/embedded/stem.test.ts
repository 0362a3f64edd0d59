import { describe, expect, it } from 'vitest'
import { stem } from '../../../../src/decide/embedded/stem.ts'

describe('stem', () => {
  it.each([
    ['camp', 'camps', 'camped', 'camping'],
    ['plan', 'plans', 'planned', 'planning'],
    ['hope', 'hopes', 'hoped', 'hoping'],
    ['study', 'studies', 'studied', 'studying'],
    ['adopt', 'adopts', 'adopted', 'adoption'],
    ['educate', 'educates', 'educated', 'education'],
    ['box', 'boxes', 'boxed', 'boxing'],
    ['match', 'matches', 'matched', 'matching'],
    ['quick', 'quickly', 'quickness', 'quicks'],
    ['call', 'calls', 'called', 'calling'],
    ['family', 'families', 'family', 'families'],
    ['agree', 'agreement', 'agreements', 'agrees'],
  ])('meets %s, %s, %s and %s', (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1)
  })

  it.each([
    ['class', 'clas'],
    ['bus', 'bu'],
    ['sing', 's'],
    ['thing', 'th'],
    ['planned', 'plant'],
    ['number', 'numb'],
    ['status', 'statu'],
  ])('keeps %s apart from %s', (word, other) => {
    expect(stem(word)).not.toBe(stem(other))
  })

  it.each(['ts', 'ok', 'été', 'straße', 'v2s', 'ёлками', 'max_tokens', ''])(
    'leaves %s as it is',
    (word) => {
      expect(stem(word)).toBe(word)
    },
  )
})
