import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** prom-client's instruments with the values of labels in their types, not only the names. */
export interface TypedCounter<L extends Labels> {
  readonly inc: (labels: L, value?: number) => void
}
export interface TypedGauge<L extends Labels> {
  readonly inc: (labels: L, value?: number) => void
  readonly dec: (labels: L, value?: number) => void
  readonly set: (labels: L, value: number) => void
}
export interface TypedHistogram<L extends Labels> {
  readonly observe: (labels: L, value: number) => void
}

/** Counts that somebody else keeps, read when the metrics are scraped. */
export type ReadNumber = () => number

export interface Instruments {
  readonly counter: <L extends Labels>(
    name: string,
    help: string,
    labelNames?: readonly (keyof L & string)[],
  ) => TypedCounter<L>
  readonly gauge: <L extends Labels>(
    name: string,
    help: string,
    labelNames?: readonly (keyof L & string)[],
    /** What is shown where several threads have a value. Default `sum`. */
    aggregator?: 'sum' | 'max',
  ) => TypedGauge<L>
  readonly histogram: <L extends Labels>(
    name: string,
    help: string,
    buckets: readonly number[],
    labelNames?: readonly (keyof L & string)[],
  ) => TypedHistogram<L>
  /** Returns the function that plugs in the source; 0 is shown until then. */
  readonly readCounter: (name: string, help: string) => (read: ReadNumber) => void
  readonly readGauge: (name: string, help: string) => (read: ReadNumber) => void
}

/** Factories bound to one registry, so that two apps of one process never share a series. */
export function createInstruments(registry: Registry): Instruments {
  const registers = [registry]
  return {
    counter: (name, help, labelNames = []) => {
      return new Counter({ name, help, labelNames: [...labelNames], registers })
    },
    gauge: (name, help, labelNames = [], aggregator = 'sum') => {
      return new Gauge({ name, help, labelNames: [...labelNames], registers, aggregator })
    },
    histogram: (name, help, buckets, labelNames = []) => {
      return new Histogram({
        name,
        help,
        labelNames: [...labelNames],
        buckets: [...buckets],
        registers,
      })
    },
    readCounter: (name, help) => {
      let read: ReadNumber = () => 0
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
      return (source) => {
        read = source
      }
    },
    readGauge: (name, help) => {
      let read: ReadNumber = () => 0
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
      return (source) => {
        read = source
      }
    },
  }
}
