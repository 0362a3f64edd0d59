import { InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import {
  addOption,
  addPin,
  optionAt,
  parseShare,
  parseWhole,
  toCompactRequest,
} from '../../../src/cli/settings.ts'

describe('values of the command line', () => {
  test('tokens are whole numbers', () => {
    expect(parseWhole('50000')).toBe(50_000)
    for (const text of ['', '-1', '1.5', '1e3', '0x10', '50k']) {
      expect(() => parseWhole(text)).toThrow(InvalidArgumentError)
    }
  })

  test('shares are decimal numbers', () => {
    expect([parseShare('0.5'), parseShare('.5'), parseShare('1')]).toEqual([0.5, 0.5, 1])
    for (const text of ['', 'half', '50%', '-0.5']) {
      expect(() => parseShare(text)).toThrow(InvalidArgumentError)
    }
  })

  test('pins of digits are numbers of messages, others are ids, and they add up', () => {
    expect(addPin('msg_1', addPin('12'))).toEqual([12, 'msg_1'])
  })

  test('options nest by stage, take JSON or text, and add up', () => {
    const options = [
      'protectRecent=4',
      'prune.keepResults=2',
      'prune.protectedTools=["Read","a=b"]',
      'relevance.toolExchanges=drop',
    ].reduce<ReturnType<typeof addOption>>((known, text) => addOption(text, known), {})
    expect(options).toEqual({
      protectRecent: 4,
      prune: { keepResults: 2, protectedTools: ['Read', 'a=b'] },
      relevance: { toolExchanges: 'drop' },
    })
  })

  test.each(['', 'prune', '=2', 'prune.=2', 'a.b.c=1'])('%j is no option', (text) => {
    expect(() => addOption(text)).toThrow(InvalidArgumentError)
  })

  test('only what was given becomes a member of the request', () => {
    expect(toCompactRequest({})).toEqual({})
    expect(toCompactRequest({ target: 5, pin: [1], option: { a: 1 }, profile: 'agent' })).toEqual({
      targetTokens: 5,
      pins: [1],
      options: { a: 1 },
      profile: 'agent',
    })
  })

  test('a pointer leads to the option that set it, and to none where the input did', () => {
    const set = toCompactRequest({ target: 0, option: { prune: { keepResults: -1 } } })
    expect(optionAt('/targetTokens', set)).toBe('--target')
    expect(optionAt('/options/prune/keepResults', set)).toBe('--option prune.keepResults')
    expect(optionAt('/model', set)).toBeUndefined()
    expect(optionAt('/messages/3', set)).toBeUndefined()
  })
})
