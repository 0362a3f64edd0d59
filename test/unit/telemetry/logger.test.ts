import { type Logger, pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { PrecisError } from '../../../src/engine/errors.ts'
import { loggerOptions, serializeError } from '../../../src/telemetry/logger.ts'

function capture(write: (logger: Logger<never>) => void): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  write(pino(loggerOptions('trace'), { write: (line: string) => lines.push(JSON.parse(line)) }))
  return lines
}

describe('the logger', () => {
  it('writes the kind, code and place of a foreign error and none of its words', () => {
    const error = Object.assign(new TypeError('canary\n    at canary (canary.js:1:1)'), {
      code: 'E_SOMETHING',
      body: 'canary',
      cause: new Error('canary'),
    })
    const lines = capture((logger) => {
      logger.error({ err: error }, 'failed')
      logger.error(error)
      logger.error({ err: error })
    })
    expect(lines).toHaveLength(3)
    expect(JSON.stringify(lines)).not.toContain('canary')
    for (const { err } of lines) {
      expect(err).toEqual({
        type: 'TypeError',
        code: 'E_SOMETHING',
        stack: expect.stringContaining('logger.test.ts'),
        cause: { type: 'Error', stack: expect.stringContaining('logger.test.ts') },
      })
    }
  })

  it('drops the stack of an error whose words can no longer be told from it', () => {
    const error = new Error('words\n   at canary')
    expect(error.stack).toContain('canary')
    error.message = 'other words'
    expect(serializeError(error)).toEqual({ type: 'Error', stack: '' })
  })

  it('keeps the words of the errors that the service writes itself', () => {
    const error = new PrecisError('invalid-budget', 'The window is smaller than the reserve.')
    expect(serializeError(error)).toMatchObject({
      type: 'PrecisError',
      code: 'invalid-budget',
      message: 'The window is smaller than the reserve.',
    })
  })

  it('follows causes to an end even where they form a ring', () => {
    const error = new Error('first')
    error.cause = error
    expect(JSON.stringify(serializeError(error)).length).toBeLessThan(20_000)
  })

  it('makes something of what is thrown and is no error', () => {
    expect(serializeError('canary')).toEqual({ type: 'string', stack: '' })
  })

  it('shows of a request its method and route, whatever else it has', () => {
    const req = {
      id: 'id-1',
      method: 'POST',
      ip: '127.0.0.1',
      url: '/compact?canary=1',
      headers: { authorization: 'canary' },
      body: { canary: 1 },
      routeOptions: { url: '/compact' },
    }
    const [line] = capture((logger) =>
      logger.info({ req, res: { statusCode: 200, body: 'canary' } }),
    )
    expect(line).toMatchObject({
      req: { id: 'id-1', method: 'POST', route: '/compact', remoteAddress: '127.0.0.1' },
      res: { statusCode: 200 },
    })
    expect(JSON.stringify(line)).not.toContain('canary')
  })

  it('hides keys that somebody logs after all', () => {
    const [line] = capture((logger) =>
      logger.info({
        authorization: 'canary',
        decide: { apiKey: 'canary' },
        upstream: { headers: { authorization: 'canary', 'x-api-key': 'canary' } },
      }),
    )
    expect(JSON.stringify(line)).not.toContain('canary')
    expect(line).toMatchObject({ authorization: '[redacted]' })
  })
})
