import { findDay } from './day.ts'

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
