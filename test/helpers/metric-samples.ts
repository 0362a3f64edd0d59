/** Samples of one scrape. Labels that a question leaves out may have any value. */
export interface MetricSamples {
  /** The sum over all series of this name that carry these labels; 0 where there is none. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number
  /** Label values with the sums of their series; those that are still at 0 are left out. */
  readonly by: (name: string, label: string) => Readonly<Record<string, number>>
  readonly text: string
}

interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** Reads the text format of Prometheus, apart from the library that writes it. */
export function readMetricSamples(text: string): MetricSamples {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(toSample)
  const sum = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples
      .filter((sample) => sample.name === name && carries(sample, labels))
      .reduce((total, { value }) => total + value, 0)
  return {
    text,
    sum,
    by: (name, label) => {
      const values = samples
        .filter((sample) => sample.name === name)
        .map((sample) => sample.labels.get(label) ?? '')
      const sums = values.map((value): [string, number] => [value, sum(name, { [label]: value })])
      return Object.fromEntries(sums.filter(([, total]) => total !== 0))
    },
  }
}

function toSample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
  if (name === undefined) throw new Error(`not a sample: ${line}`)
  const pairs = Array.from(labels.matchAll(LABEL), ([, label = '', text = '']) => [label, text])
  return { name, labels: new Map(pairs as [string, string][]), value: Number(value) }
}

function carries({ labels }: Sample, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => labels.get(name) === value)
}
