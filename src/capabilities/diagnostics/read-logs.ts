import type { FeedItem } from '../../kernel/feed/feed.ts'
import type { LogEntry } from './needs.ts'

/** In ascending severity. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]

export interface LogsQuery {
  readonly limit: number
  /** The least level that counts. */
  readonly level: LogLevel | undefined
  readonly category: string | undefined
  /** ISO text. */
  readonly since: string | undefined
}

/** The newest entries that fit, the newest last. */
export function readLogs(entries: readonly LogEntry[], query: LogsQuery): readonly LogEntry[] {
  const { limit, since = '' } = query
  return entries.filter((entry) => fits(entry, query) && entry.at >= since).slice(-limit)
}

/** What fits from now on, after a word that it has begun. */
export async function* followLogs(
  entries: AsyncIterable<FeedItem<LogEntry>>,
  query: Pick<LogsQuery, 'level' | 'category'>,
) {
  yield { data: { type: 'connected' } }
  for await (const { id, item } of entries)
    if (fits(item, query)) yield { id, data: { ...item, timestamp: item.at } }
}

function fits(
  entry: LogEntry,
  { level = 'debug', category }: Pick<LogsQuery, 'level' | 'category'>,
): boolean {
  const isHeavy = weightOf(entry.level) >= weightOf(level)
  return isHeavy && (category === undefined || entry.category === category)
}

/** A fatal entry weighs as an error does, a trace as what is said to debug. */
function weightOf(level: string): number {
  if (level === 'fatal') return logLevels.indexOf('error')
  return Math.max(0, logLevels.indexOf(level as LogLevel))
}
