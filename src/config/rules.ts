import { isIP } from 'node:net'
import { Value } from 'typebox/value'
import { GATEWAY_CONTRACTS } from '../contract/gateways/names.ts'
import { parseGatewayContracts } from './parse-gateway-contracts.ts'
import { type ModelWindows, ModelWindowsSchema, type Variables } from './schema.ts'
import { urlFault } from './url-fault.ts'

/** A key that an HTTP header cannot carry could never be presented, and a blank one would be guessed. */
export const API_KEY = /^[\x21-\x7e]{8,512}$/

/** One variable that breaks a rule. Never carries the value: it may be a secret. */
export interface ConfigFault {
  readonly variable: string
  readonly detail: string
}

/** What a schema of single variables cannot say: rules between them, and text with an inner form. */
export function crossFaults(variables: Variables): readonly ConfigFault[] {
  const faults: ConfigFault[] = []
  const fault = (variable: keyof Variables, detail: string) => faults.push({ variable, detail })

  for (const name of ['PRECIS_SUMMARIZER_URL', 'PRECIS_TRACING_URL'] as const) {
    const url = variables[name]
    const wrongUrl = url === undefined ? undefined : urlFault(url)
    if (wrongUrl !== undefined) fault(name, wrongUrl)
  }
  const dialect = variables.PRECIS_SUMMARIZER_DIALECT
  if (dialect !== 'none') {
    for (const name of ['PRECIS_SUMMARIZER_URL', 'PRECIS_SUMMARIZER_MODEL'] as const) {
      if (variables[name] === undefined) {
        fault(name, `is required when PRECIS_SUMMARIZER_DIALECT is ${dialect}`)
      }
    }
  }
  if (parseApiKeys(variables.PRECIS_API_KEYS).some((key) => !API_KEY.test(key))) {
    fault(
      'PRECIS_API_KEYS',
      'must be comma separated keys of 8 to 512 visible ASCII characters each',
    )
  }
  if (parseModelWindows(variables.PRECIS_MODEL_WINDOWS) === undefined) {
    fault(
      'PRECIS_MODEL_WINDOWS',
      'must be a JSON object of model name to {"contextWindow": tokens, "maxOutputTokens": fewer tokens}',
    )
  }
  if (parseTrustProxy(variables.PRECIS_TRUST_PROXY) === undefined) {
    fault(
      'PRECIS_TRUST_PROXY',
      'must be false, true, or comma separated addresses, subnets and the names loopback, linklocal, uniquelocal',
    )
  }
  if (parseGatewayContracts(variables.PRECIS_GATEWAY_CONTRACTS) === undefined) {
    fault(
      'PRECIS_GATEWAY_CONTRACTS',
      `must be none, or a comma separated list of ${GATEWAY_CONTRACTS.join(', ')}`,
    )
  }
  return faults
}

/** An empty list means that no key is asked for, which only an unset variable may mean. */
export function parseApiKeys(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(',').map((key) => key.trim())
}

/** Undefined where the text is not what it has to be. */
export function parseModelWindows(text: string | undefined): ModelWindows | undefined {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (!Value.Check(ModelWindowsSchema, value)) return undefined
    // A reserve of the whole window would leave no input to any request.
    const fits = Object.values(value).every(
      ({ contextWindow, maxOutputTokens = 0 }) => maxOutputTokens < contextWindow,
    )
    return fits ? value : undefined
  } catch {
    return undefined
  }
}

/** Undefined where the text is not what it has to be. */
export function parseTrustProxy(text: string): boolean | readonly string[] | undefined {
  if (text === 'true' || text === 'false') return text === 'true'
  const items = text.split(',').map((item) => item.trim())
  return items.every(isAddressRange) ? items : undefined
}

function isAddressRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}
