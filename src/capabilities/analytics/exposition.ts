import { buckets, type Durations } from './traffic.ts'

type Labels = Readonly<Record<string, string | number>>

export interface Sample {
  readonly labels?: Labels
  readonly value: number
  /** Appended to the name of the metric: `_sum`. */
  readonly suffix?: string
}

export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** The text format 0.0.4 of Prometheus. */
export function writeMetrics(metrics: readonly Metric[]): string {
  return metrics.map(writeMetric).join('')
}

function writeMetric({ name, help, type, samples }: Metric): string {
  const lines = samples.map(
    ({ labels = {}, suffix = '', value }) => `${name}${suffix}${writeLabels(labels)} ${value}\n`,
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}="${escapeValue(String(value))}"`,
  )
  return pairs.length > 0 ? `{${pairs.join()}}` : ''
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** The samples of one histogram: cumulated buckets, sum and count. */
export function toHistogram({ counts, sum }: Durations, labels: Labels = {}): readonly Sample[] {
  let total = 0
  const cumulative = [...buckets, '+Inf'].map((le, index) => {
    total += counts[index] ?? 0
    return { suffix: '_bucket', labels: { ...labels, le }, value: total }
  })
  return [
    ...cumulative,
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: total },
  ]
}
