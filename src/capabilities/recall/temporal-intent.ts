import { readDate } from '../../kernel/http/wire-values.ts'

export const temporalFacets = [
  'session',
  'source',
  'occurred',
  'observed',
  'valid',
  'captured',
] as const
export type TemporalFacet = (typeof temporalFacets)[number]

const temporalModes = ['timeline', 'filter'] as const
type TemporalMode = (typeof temporalModes)[number]

/** The `time` object of a request; the default range is one day. */
export interface RequestedTime {
  readonly start: Date
  readonly end: Date | undefined
  readonly facets: readonly TemporalFacet[] | undefined
  readonly mode: TemporalMode | undefined
}

/** A query about a time range: all entries, or only those that match the words. */
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

/** Words that ask about a day but carry no content. */
const weakWords: ReadonlySet<string> = new Set(
  `what when where which who whom whose why how i me my mine myself you your yours we us our ours he
  him his she her hers it its they them their theirs this that these those do does did done doing be
  is am are was were been being work works worked working happen happens happened happening in on at of to from for with by into
  during around a an the and or day date tell about talk talks talked talking discuss discussed
  discussing say says said saying speak spoke spoken speaking chat chats chatted chatting conversation
  conversations summarize summarise summary recap remember recall know please anything something
  everything else there any some all`.split(/\s+/),
)

/** Undefined when neither the request nor the query names a time. */
export function readTemporalIntent(
  query: string,
  time: RequestedTime | undefined,
): TemporalIntent | undefined {
  const named = findDay(query)
  const range = time ? rangeOf(time) : named
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

function dropWeakWords(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .filter((word) => !weakWords.has(word.toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, '')))
    .join(' ')
}

interface CheckedTime {
  readonly facets?: readonly TemporalFacet[] | null
  readonly mode?: TemporalMode | null
}

/** Parses the `time` object; a problem is added by `addIssue`. */
export function parseTime(
  time: unknown,
  addIssue: (message: string) => void,
): RequestedTime | undefined {
  if (time === undefined || time === null) return undefined
  const problem = findProblem(time)
  if (problem) {
    addIssue(problem)
    return undefined
  }
  const { start, end, facets, mode } = time as Record<string, unknown> & CheckedTime
  return {
    start: readTime(start) ?? new Date(0),
    end: isAbsent(end) ? undefined : readTime(end),
    // An empty list is no filter.
    facets: isAbsent(facets) || facets.length === 0 ? undefined : [...new Set(facets)],
    mode: isAbsent(mode) ? undefined : mode,
  }
}

function findProblem(time: unknown): string | undefined {
  if (typeof time !== 'object' || time === null || Array.isArray(time))
    return 'time must be an object'
  const { start, end, facets, mode } = time as Record<string, unknown>
  return findRangeProblem(start, end) ?? findFacetsProblem(facets) ?? findModeProblem(mode)
}

function findRangeProblem(start: unknown, end: unknown): string | undefined {
  if (isAbsent(start) || start === '') return 'time.start is required'
  const from = readTime(start)
  if (!from) return 'time.start must be a valid ISO timestamp'
  if (isAbsent(end)) return undefined
  const to = readTime(end)
  if (!to) return 'time.end must be a valid ISO timestamp'
  return to > from ? undefined : 'time.end must be after time.start'
}

/** Numbers are invalid: their unit (seconds or milliseconds) is ambiguous. */
function readTime(value: unknown): Date | undefined {
  return typeof value === 'string' ? readDate(value) : undefined
}

function findFacetsProblem(facets: unknown): string | undefined {
  if (isAbsent(facets)) return undefined
  const known: readonly unknown[] = temporalFacets
  const isKnown = Array.isArray(facets) && facets.every((facet) => known.includes(facet))
  return isKnown ? undefined : 'time.facets must be an array of known facets'
}

function findModeProblem(mode: unknown): string | undefined {
  const known: readonly unknown[] = temporalModes
  return isAbsent(mode) || known.includes(mode)
    ? undefined
    : 'time.mode must be `timeline` or `filter`'
}

function isAbsent(field: unknown): field is undefined | null {
  return field === undefined || field === null
}

/** A calendar day in the time zone of the machine; the end is exclusive. */
export interface Day {
  readonly start: Date
  readonly end: Date
  /** The day as written in the text. */
  readonly text: string
}

const month =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const day = String.raw`(?<day>\d{1,2})`
const ordinal = '(?:st|nd|rd|th)?'
const year = String.raw`(?<year>\d{4})`
const numeric = String.raw`\b${year}[-/](?<month>\d{1,2})[-/]${day}`
const monthFirst = String.raw`\b(?<name>${month})\.?\s+${day}${ordinal},?\s+${year}\b`
const dayFirst = String.raw`\b${day}${ordinal}\s+(?:of\s+)?(?<name>${month})\.?,?\s+${year}\b`
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const queryPatterns = [new RegExp(String.raw`${numeric}\b`), new RegExp(monthFirst, 'i')]
/** Texts also use the day-first form, and may append the time of day. */
const textPatterns = [`${numeric}(?!\\d)`, monthFirst, dayFirst].map(
  (pattern) => new RegExp(pattern, 'gi'),
)

/** Finds the day that a query names. */
function findDay(question: string): Day | undefined {
  const [numbers, words] = queryPatterns
  const match = numbers?.exec(question) ?? words?.exec(question)
  return match ? toDay(match) : undefined
}

/** Lists all days that a text mentions. */
export function listDays(text: string): Day[] {
  return textPatterns.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match) => toDay(match) ?? []),
  )
}

function toDay({ 0: text, groups = {} }: RegExpMatchArray): Day | undefined {
  const { name, month, ...numbers } = groups
  const index = name ? months.indexOf(name.slice(0, 3).toLowerCase()) : Number(month) - 1
  const [year, day] = [Number(numbers['year']), Number(numbers['day'])]
  const start = new Date(year, index, day)
  // `Date` rolls invalid days over and maps the years 0 to 99 to 1900 to 1999.
  const same = start.getFullYear() === year && start.getMonth() === index
  if (!same || start.getDate() !== day) return undefined
  return { text, start, end: new Date(year, index, day + 1) }
}
