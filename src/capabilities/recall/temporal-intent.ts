export const temporalFacets = [
  'session',
  'source',
  'occurred',
  'observed',
  'valid',
  'captured',
] as const
export type TemporalFacet = (typeof temporalFacets)[number]

export const temporalModes = ['timeline', 'filter'] as const
export type TemporalMode = (typeof temporalModes)[number]

/** The `time` object of a request; without an end it means a day. */
export interface RequestedTime {
  readonly start: Date
  readonly end: Date | undefined
  readonly facets: readonly TemporalFacet[] | undefined
  readonly mode: TemporalMode | undefined
}

/** A question about a time: everything that happened then, or only what also matches the words. */
export interface TemporalIntent {
  readonly mode: TemporalMode
  readonly source: 'query' | 'request'
  readonly originalQuery: string
  readonly contentQuery: string
  readonly start: string
  /** Exclusive. */
  readonly end: string
  readonly facets: readonly TemporalFacet[]
}

const dayMs = 86_400_000
const numeric = /\b(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})\b/
const written =
  /\b(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})\b/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Words that ask about a day without saying anything of its content. */
const weakWords: ReadonlySet<string> = new Set(
  `what when where which who whom whose why how i me my mine myself you your yours we us our ours he
  him his she her hers it its they them their theirs this that these those do does did done doing be
  is am are was were been being work works worked working happen happens happened happening in on at of to from for with by into
  during around a an the and or day date tell about`.split(/\s+/),
)

/** Undefined when neither the request nor the question names a time. */
export function readTemporalIntent(
  query: string,
  time: RequestedTime | undefined,
): TemporalIntent | undefined {
  const named = findDate(query)
  const range = time ? rangeOf(time) : named?.range
  if (!range) return undefined
  const contentQuery = dropWeakWords(named ? query.replace(named.text, ' ') : query)
  return {
    mode: time?.mode ?? (contentQuery === '' ? 'timeline' : 'filter'),
    source: time ? 'request' : 'query',
    originalQuery: query,
    contentQuery,
    start: range.start.toISOString(),
    end: range.end.toISOString(),
    facets: time?.facets ?? temporalFacets,
  }
}

function rangeOf({ start, end }: RequestedTime) {
  return { start, end: end ?? new Date(start.getTime() + dayMs) }
}

/** A calendar day of the machine's own time zone. */
function findDate(query: string) {
  const found = numeric.exec(query) ?? written.exec(query)
  const { year, month, name, day } = found?.groups ?? {}
  if (!found || !year || !day) return undefined
  const index = name ? months.indexOf(name.slice(0, 3).toLowerCase()) : Number(month) - 1
  const start = new Date(Number(year), index, Number(day))
  // The calendar rolls what is not a day over, and takes 0 to 99 for years of the last century.
  const same = start.getFullYear() === Number(year) && start.getMonth() === index
  if (!same || start.getDate() !== Number(day)) return undefined
  return { text: found[0], range: { start, end: new Date(Number(year), index, Number(day) + 1) } }
}

function dropWeakWords(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .filter((word) => !weakWords.has(word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '')))
    .join(' ')
}
