import type { Environment } from './read-variables.ts'

/**
 * OpenTelemetry's own names for headers with which a collector is asked, mostly a key; the second is for traces
 * alone. They are read and taken out of the environment like the service's own keys.
 */
export const COLLECTOR_HEADER_VARIABLES = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const

/** As one list, `name=value,...`. Of two of the same name the later one holds. */
export function readCollectorHeaders(environment: Environment): string {
  return COLLECTOR_HEADER_VARIABLES.flatMap((name) => environment[name] || []).join(',')
}
