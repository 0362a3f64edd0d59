import { availableParallelism } from 'node:os'
import type { TObject } from 'typebox'
import { readCollectorHeaders } from './config/collector-headers.ts'
import { type DecideConfig, readDecideConfig } from './config/decide-config.ts'
import { decodeOptions, optionVariables } from './config/option-variables.ts'
import { parseGatewayContracts } from './config/parse-gateway-contracts.ts'
import { type ProxyConfig, proxyFaults, readProxyConfig } from './config/proxy-config.ts'
import { type Environment, readVariables } from './config/read-variables.ts'
import {
  type ConfigFault,
  crossFaults,
  parseApiKeys,
  parseModelWindows,
  parseTrustProxy,
} from './config/rules.ts'
import {
  ConfigSchema,
  type ModelWindows,
  type SummarizerDialect,
  type Variables,
} from './config/schema.ts'
import type { GatewayContract } from './contract/gateways/names.ts'
import type { OptionOverrides, ProfileName } from './engine/options.ts'

/** Deeply frozen. Milliseconds and bytes are in the names. */
export interface Config {
  readonly server: ServerConfig
  readonly limits: LimitsConfig
  readonly rateLimits: RateLimitsConfig
  readonly workers: WorkersConfig
  readonly compaction: CompactionConfig
  readonly tokens: TokensConfig
  readonly decide: DecideConfig
  readonly summarizer: SummarizerConfig
  /** Secrets of known shapes do not leave for models outside. */
  readonly redact: boolean
  /** Undefined: nothing is traced. */
  readonly tracing: TracingConfig | undefined
  readonly proxy: ProxyConfig
}

export interface ServerConfig {
  readonly host: string
  readonly port: number
  readonly logLevel: Variables['PRECIS_LOG_LEVEL']
  /** Empty: nobody is asked for a key. */
  readonly apiKeys: readonly string[]
  /** File of further keys, read again while the service runs. */
  readonly apiKeysFile: string | undefined
  /** Where metrics and health are served apart; undefined: with everything else. */
  readonly admin: { readonly host: string; readonly port: number } | undefined
  readonly trustProxy: boolean | readonly string[]
  /** Contracts of gateways that have their routes. */
  readonly gatewayContracts: readonly GatewayContract[]
  readonly shutdownDelayMs: number
  readonly shutdownGraceMs: number
  /** Whether /ui is served. */
  readonly ui: boolean
}

export interface LimitsConfig {
  readonly bodyLimitBytes: number
  readonly maxMessages: number
  readonly requestDeadlineMs: number
  readonly maxConcurrentRequests: number
  readonly maxConcurrentBytes: number
  /** 0: never sheds for it. */
  readonly maxEventLoopDelayMs: number
}

/** Of each key, or address where no key is asked for; 0: no limit. */
export interface RateLimitsConfig {
  readonly requestsPerMinute: number
  readonly bytesPerMinute: number
}

export interface WorkersConfig {
  /** Threads for large requests; 0: all work is done on the service's own. */
  readonly count: number
  /** Smallest body that goes to one of them. */
  readonly minBytes: number
}

export interface CompactionConfig {
  readonly defaultProfile: ProfileName
  /** What the environment sets over the preset; a request's own options go over it. */
  readonly options: OptionOverrides
  /** Share of what lies between the floor and the target, 0 to 1. */
  readonly lowWater: number
  /** 0: nothing is remembered. */
  readonly stepMemoBytes: number
}

export interface TokensConfig {
  /** 0: nothing is cached. */
  readonly cacheBytes: number
  readonly modelWindows: ModelWindows
}

export interface TracingConfig {
  /** Full URL of an OTLP collector's traces over HTTP. */
  readonly url: string
  /** Share of the traces that begin here, 0 to 1. */
  readonly sampleRatio: number
  /** Headers for the collector, as OpenTelemetry's own variables hold them: `name=value,...`. A secret. */
  readonly headers: string
}

export interface SummarizerConfig {
  readonly dialect: SummarizerDialect
  /** Present unless the dialect is `none`, like `model`. */
  readonly url: string | undefined
  readonly apiKey: string | undefined
  readonly model: string | undefined
  readonly timeoutMs: number
  readonly maxInputTokens: number
}

/** Thrown with every fault of the environment. Never carries a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ variable, detail }) => `${variable} ${detail}`).join('; '))
    this.faults = faults
  }
}

export interface LoadedConfig {
  readonly config: Config
  /** Names that begin like ours but are none of ours: mostly typing errors. */
  readonly warnings: readonly string[]
}

/**
 * Reads the environment. `options` is the schema of the engine's options, each of which gets a
 * variable of its own. Throws a ConfigError with all faults.
 */
export function loadConfig(environment: Environment, options: TObject): LoadedConfig {
  const variables = optionVariables(options)
  const read = readVariables(environment, variables)
  if (!read.ok) throw new ConfigError(read.faults)
  const values = read.values as Variables
  const decoded = decodeOptions(variables, read.values)
  const decideFaults: ConfigFault[] = []
  const decide = readDecideConfig(values, (variable, detail) => {
    decideFaults.push({ variable, detail })
  })
  const faults = [
    ...crossFaults(values),
    ...proxyFaults(values),
    ...decideFaults,
    ...decoded.invalid.map((variable) => ({
      variable,
      detail: 'does not follow the schema of its option',
    })),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
  const known = new Set([
    ...Object.keys(ConfigSchema.properties),
    ...variables.map(({ name }) => name),
  ])
  const collectorHeaders = readCollectorHeaders(environment)
  return {
    config: deepFreeze(
      toConfig(values, decide, decoded.options as OptionOverrides, collectorHeaders),
    ),
    warnings: Object.keys(environment)
      .filter((name) => name.startsWith('PRECIS_') && !known.has(name))
      .sort()
      .map((name) => `${name.slice(0, 100)} is not a variable of this service and was ignored`),
  }
}

/** Most threads that are started unless more are asked for: each holds the model and vocabularies anew. */
const MAX_USUAL_WORKERS = 4

/** A core is left to the service's own thread. */
function usualWorkers(): number {
  return Math.min(MAX_USUAL_WORKERS, Math.max(1, availableParallelism() - 1))
}

function toConfig(
  values: Variables,
  decide: DecideConfig,
  options: OptionOverrides,
  collectorHeaders: string,
): Config {
  return {
    server: {
      host: values.PRECIS_HOST,
      port: values.PRECIS_PORT,
      logLevel: values.PRECIS_LOG_LEVEL,
      apiKeys: parseApiKeys(values.PRECIS_API_KEYS),
      apiKeysFile: values.PRECIS_API_KEYS_FILE,
      admin:
        values.PRECIS_ADMIN_PORT === undefined
          ? undefined
          : {
              host: values.PRECIS_ADMIN_HOST ?? values.PRECIS_HOST,
              port: values.PRECIS_ADMIN_PORT,
            },
      trustProxy: parseTrustProxy(values.PRECIS_TRUST_PROXY) ?? false,
      gatewayContracts: parseGatewayContracts(values.PRECIS_GATEWAY_CONTRACTS) ?? [],
      shutdownDelayMs: values.PRECIS_SHUTDOWN_DELAY_MS,
      shutdownGraceMs: values.PRECIS_SHUTDOWN_GRACE_MS,
      ui: values.PRECIS_UI === 'on',
    },
    limits: {
      bodyLimitBytes: values.PRECIS_BODY_LIMIT_BYTES,
      maxMessages: values.PRECIS_MAX_MESSAGES,
      requestDeadlineMs: values.PRECIS_REQUEST_DEADLINE_MS,
      maxConcurrentRequests: values.PRECIS_MAX_CONCURRENT_REQUESTS,
      maxConcurrentBytes: values.PRECIS_MAX_CONCURRENT_BYTES,
      maxEventLoopDelayMs: values.PRECIS_MAX_EVENT_LOOP_DELAY_MS,
    },
    rateLimits: {
      requestsPerMinute: values.PRECIS_RATE_LIMIT_REQUESTS,
      bytesPerMinute: values.PRECIS_RATE_LIMIT_BYTES,
    },
    workers: {
      count: values.PRECIS_WORKERS ?? usualWorkers(),
      minBytes: values.PRECIS_WORKER_MIN_BYTES,
    },
    compaction: {
      defaultProfile: values.PRECIS_DEFAULT_PROFILE,
      options,
      lowWater: values.PRECIS_LOW_WATER,
      stepMemoBytes: values.PRECIS_STEP_MEMO_BYTES,
    },
    tokens: {
      cacheBytes: values.PRECIS_TOKEN_CACHE_BYTES,
      modelWindows: parseModelWindows(values.PRECIS_MODEL_WINDOWS) ?? {},
    },
    decide,
    redact: values.PRECIS_REDACT === 'on',
    tracing:
      values.PRECIS_TRACING_URL === undefined
        ? undefined
        : {
            url: values.PRECIS_TRACING_URL,
            sampleRatio: values.PRECIS_TRACING_SAMPLE_RATIO,
            headers: collectorHeaders,
          },
    summarizer: {
      dialect: values.PRECIS_SUMMARIZER_DIALECT,
      url: values.PRECIS_SUMMARIZER_URL,
      apiKey: values.PRECIS_SUMMARIZER_API_KEY,
      model: values.PRECIS_SUMMARIZER_MODEL,
      timeoutMs: values.PRECIS_SUMMARIZER_TIMEOUT_MS,
      maxInputTokens: values.PRECIS_SUMMARIZER_MAX_INPUT_TOKENS,
    },
    proxy: readProxyConfig(values),
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member)
    Object.freeze(value)
  }
  return value
}
