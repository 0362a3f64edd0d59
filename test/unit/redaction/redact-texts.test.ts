import { describe, expect, it } from 'vitest'
import { redactTexts } from '../../../src/redaction/redact-texts.ts'
import { TIMED } from '../../helpers/timed.ts'

/** Made up here, in the shapes that their issuers document; put together so that no scanner stops at this file. */
const join = (...pieces: string[]): string => pieces.join('')
const SECRETS: Readonly<Record<string, string>> = {
  github: join('ghp', '_', 'a1B2'.repeat(9)),
  anthropic: join('sk-ant', '-api03-', 'x'.repeat(93), 'AA'),
  slack: join('xoxb', '-123456789012-123456789012-', 'abcdefghijklmnopqrstuvwx'),
  'json web token': join(
    'eyJ',
    'hbGciOiJIUzI1NiJ9',
    '.eyJ',
    'zdWIiOiIxMjM0NTY3ODkwIn0',
    '.',
    'dozjgNryP4J3jVmNHl0w5N',
  ),
  'private key': join(
    '-----BEGIN RSA PRIVATE',
    ' KEY-----\n',
    'MIIEow+/9\n'.repeat(20),
    '-----END RSA PRIVATE',
    ' KEY-----',
  ),
  'private key in JSON': join(
    '-----BEGIN PRIVATE',
    ' KEY-----\\n',
    'MIIEow+/9\\n'.repeat(20),
    '-----END PRIVATE',
    ' KEY-----',
  ),
  'bearer token': join('Ab3', 'x9'.repeat(12)),
  'password of a URL': join('s3cr3t', 'Pass'),
  'named value': join('kR7', 'tq2Lm9Zx04'),
}

const told: Readonly<Record<string, (secret: string) => string>> = {
  'bearer token': (secret) => `curl -H "Authorization: Bearer ${secret}" https://example.com`,
  'password of a URL': (secret) => `the database is amqp://user:${secret}@db.example.com/x`,
  'named value': (secret) => `export MY_API_KEY=${secret}`,
}

const tell = (name: string, secret: string): string =>
  (told[name] ?? ((text) => `it is ${text} .`))(secret)

describe('redactTexts', () => {
  it.each(Object.entries(SECRETS))(
    'hides a %s and leaves the words around it',
    async (name, secret) => {
      const text = tell(name, secret)
      const { texts, restore } = await redactTexts(['before', text, 'after'])
      expect(texts).toHaveLength(3)
      expect(texts[1]).not.toContain(secret)
      expect(texts[1]).toContain('[secret 1]')
      expect(texts[1]?.slice(0, 3)).toBe(text.slice(0, 3))
      expect(restore(texts[1] ?? '')).toBe(text)
      expect([texts[0], texts[2]]).toEqual(['before', 'after'])
    },
  )

  it('gives one secret one placeholder, wherever it is told, and another to another', async () => {
    const one = SECRETS.github ?? ''
    const other = SECRETS.slack ?? ''
    const { texts } = await redactTexts([`${one} `, `${other} `, `again ${one} `])
    expect(texts).toEqual(['[secret 1] ', '[secret 2] ', 'again [secret 1] '])
  })

  it('leaves texts alone that hold none', async () => {
    const texts = [
      'The password is checked by the login form.',
      'const apiKey = readKey()',
      'https://example.com/path?token=abc',
      'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
      'a [secret 1] of the user',
      '',
    ]
    const redaction = await redactTexts(texts)
    expect(redaction.texts).toEqual(texts)
    expect(redaction.restore('a [secret 1] of the user')).toBe('a [secret 1] of the user')
  })

  it('does not let a key without an end swallow what follows', async () => {
    const begun = join('-----BEGIN PRIVATE', ' KEY-----\n', 'MIIEow+/9\n'.repeat(20))
    const { texts } = await redactTexts([begun, 'the next message', 'and one more'])
    expect(texts.slice(1)).toEqual(['the next message', 'and one more'])
    expect(texts[0]).not.toContain('MIIE')
  })
})

describe('the cost', () => {
  /** What makes a pattern start over and over, per shape. */
  const HOSTILE = [
    '-eyJ',
    'eyJa.',
    '-----BEGIN PRIVATE KEY-----\n',
    'a://b:',
    'api_key=',
    'authorization: bearer ',
    'ghp_',
    'A'.repeat(64),
  ]

  it.each(HOSTILE)('is linear in texts of %j', TIMED, async (piece) => {
    const time = async (bytes: number): Promise<number> => {
      const text = piece.repeat(Math.ceil(bytes / piece.length))
      const runs: number[] = []
      for (let run = 0; run < 3; run += 1) {
        const startedAt = process.cpuUsage()
        await redactTexts([text])
        const { user, system } = process.cpuUsage(startedAt)
        runs.push(user + system)
      }
      return Math.min(...runs)
    }
    const small = await time(64 * 1024)
    const large = await time(512 * 1024)
    // Eight times the text; quadratic would be 64 times.
    expect(large / Math.max(small, 500)).toBeLessThan(24)
  })
})
