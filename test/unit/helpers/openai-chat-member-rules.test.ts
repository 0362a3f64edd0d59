import { describe, expect, it } from 'vitest'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const text = { type: 'text', text: 'x' }
const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
const audio = { type: 'input_audio', input_audio: { data: 'YQ==', format: 'wav' } }
const file = { type: 'file', file: { file_id: 'file-1' } }
const refusal = { type: 'refusal', refusal: 'No.' }
const widget = { type: 'x_widget' }
const user = { role: 'user', content: 'Look.' }
const asking = (name: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }],
})
const result = { role: 'tool', tool_call_id: 'a', content: 'ok' }

const faultsOf = (...messages: unknown[]) => findFaults('openai-chat', { messages })

/** The parts as the second message, or as the result of a call, by role. */
const saying = (role: string, ...content: object[]) =>
  role === 'tool' ? [asking('look'), { ...result, content }, user] : [user, { role, content }, user]

describe('openai chat rules: parts by role', () => {
  it.each<[string, object[]]>([
    ['system', [text, widget]],
    ['developer', [text, widget]],
    ['user', [text, image, audio, file, widget]],
    ['assistant', [text, refusal, widget]],
    ['tool', [text, widget]],
  ])('accepts of a %s what the reference lists, and kinds that it does not know', (role, parts) => {
    expect(faultsOf(...saying(role, ...parts))).toEqual([])
  })

  it.each<[string, object[]]>([
    ['system', [image, audio, file, refusal]],
    ['developer', [image, audio, file, refusal]],
    ['user', [refusal]],
    ['assistant', [image, audio, file]],
    ['tool', [image, audio, file, refusal]],
  ])('refuses of a %s the parts of other roles', (role, parts) => {
    for (const part of parts) {
      expect(faultsOf(...saying(role, text, part))).toEqual([
        { rule: 'part-role', pointer: '/messages/1/content/1' },
      ])
    }
  })
})

describe('openai chat rules: names', () => {
  const speakers = ['system', 'developer', 'user', 'assistant']

  it.each(['ada', 'ada.lovelace-1', '数据', 'a:b'])('accepts a speaker called %s', (name) => {
    for (const role of speakers) expect(faultsOf(user, { role, name, content: 'x' })).toEqual([])
  })

  it.each(['Ada Lovelace', 'a<b', 'a|b', 'a\\b', 'a/b', 'a>b', ''])(
    'refuses a speaker called %j',
    (name) => {
      for (const role of speakers) {
        expect(faultsOf(user, { role, name, content: 'x' })).toEqual([
          { rule: 'speaker-name', pointer: '/messages/1/name' },
        ])
      }
    },
  )

  it.each(['get_weather', 'get-weather-2', 'x'.repeat(100)])('accepts a call of %s', (name) => {
    expect(faultsOf(user, asking(name), result, user)).toEqual([])
  })

  it.each(['get weather', 'weather.get', 'wetter_für', ''])('refuses a call of %j', (name) => {
    expect(faultsOf(user, asking(name), result, user)).toEqual([
      { rule: 'tool-name', pointer: '/messages/1/tool_calls/0' },
    ])
  })
})
