/** The samples of one metric, by their labels. */
interface Family {
  type: string
  readonly help: string
  readonly samples: Map<string, number>
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const helpLine = new RegExp(`^# HELP (?<name>${name}) (?<help>(?:[^\\\\]|\\\\\\\\|\\\\n)+)$`)
const typeLine = new RegExp(`^# TYPE (?<name>${name}) (?<type>counter|gauge|histogram)$`)
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\\\\\|\\\\"|\\\\n)*"'
const sampleLine = new RegExp(
  `^(?<name>${name})(?:\\{(?<labels>${label}(?:,${label})*)\\})? (?<value>-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|[+-]Inf|NaN)$`,
)
const histogramSuffix = /_(?:bucket|sum|count)$/

/**
 * Parses the text format 0.0.4 of Prometheus more strictly than a server does. HELP and TYPE occur
 * first and once. A sample belongs to the metric above it, and a series occurs once. A counter ends in
 * `_total` and is not negative. The buckets of a histogram are complete.
 */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no line break.')
  const families = new Map<string, Family>()
  const parsed = { families, name: '' }
  for (const line of text.slice(0, -1).split('\n')) addLine(parsed, line)
  for (const [name, family] of families) assertFamily(name, family)
  return families
}

interface Parsed {
  readonly families: Map<string, Family>
  /** The metric of the last HELP line. */
  name: string
}

function addLine(parsed: Parsed, line: string): void {
  const { families } = parsed
  const { name, help = '' } = helpLine.exec(line)?.groups ?? {}
  if (name !== undefined) {
    assert(!families.has(name), line, 'a metric comes twice')
    families.set(name, { type: '', help, samples: new Map() })
    parsed.name = name
    return
  }
  const typed = typeLine.exec(line)?.groups
  if (!typed) {
    addSample(families, parsed.name, line)
    return
  }
  const family = families.get(parsed.name)
  const isNext = parsed.name === typed['name'] && family?.samples.size === 0
  assert(isNext && family !== undefined, line, 'TYPE follows HELP of the same metric')
  family.type = typed['type'] ?? ''
}

function assert(isTrue: boolean, line: string, rule: string): asserts isTrue {
  if (!isTrue) throw new Error(`${rule}: ${line}`)
}

function addSample(families: Map<string, Family>, name: string, line: string): void {
  const sample = sampleLine.exec(line)?.groups
  const family = families.get(name)
  assert(sample !== undefined && family !== undefined, line, 'a line is a sample of a metric')
  const { name: own = '', labels = '', value } = sample
  const base = family.type === 'histogram' ? own.replace(histogramSuffix, '') : own
  assert(base === name, line, 'a sample belongs to the metric above it')
  const series = `${own}{${labels}}`
  assert(!family.samples.has(series), line, 'a series comes once')
  const labelNames = labels.match(/[a-zA-Z_][a-zA-Z0-9_]*(?==")/g) ?? []
  assert(new Set(labelNames).size === labelNames.length, line, 'a label comes once')
  family.samples.set(series, Number(value?.replace('Inf', 'Infinity')))
}

function assertFamily(name: string, { type, samples }: Family): void {
  if (type === 'counter') {
    assert(name.endsWith('_total'), name, 'a counter ends in _total')
    for (const [series, value] of samples) assert(value >= 0, series, 'a counter is not negative')
  }
  if (type === 'histogram') assertBuckets(samples)
}

/** The buckets grow, end with +Inf, and agree with the count. */
function assertBuckets(samples: ReadonlyMap<string, number>): void {
  const buckets = [...samples].filter(([series]) => series.includes('_bucket{'))
  const le = /,?le="(?<le>[^"]+)"/
  const groups = Map.groupBy(buckets, ([series]) =>
    series.replace(le, '').replace('_bucket', '_count'),
  )
  for (const [count, group] of groups) {
    const bounds = group.map(([series]) =>
      Number(le.exec(series)?.groups?.['le']?.replace('+Inf', 'Infinity')),
    )
    const values = group.map(([, value]) => value)
    assert(isSorted(bounds) && isSorted(values), count, 'buckets are cumulative')
    assert(bounds.at(-1) === Infinity, count, 'the last bucket is +Inf')
    assert(values.at(-1) === samples.get(count), count, 'the count is that of the last bucket')
    assert(samples.has(count.replace('_count{', '_sum{')), count, 'a histogram has a sum')
  }
}

function isSorted(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0))
}
