import type { z } from 'zod'
import type { FeedGap, FeedItem } from '../../kernel/feed/feed.ts'
import type { LogEntry } from '../../kernel/log/log.ts'
import { logLevels, type logsQuery, type logsReply } from './schemas.ts'

type LogsQuery = z.output<typeof logsQuery>
type LogFilter = Pick<LogsQuery, 'level' | 'category'>

/** The newest matching entries, oldest first. */
export function readLogs(
  entries: readonly LogEntry[],
  query: LogsQuery,
): z.input<typeof logsReply> {
  const { limit, since = '' } = query
  const matching = entries.filter((entry) => matches(entry, query) && entry.at >= since)
  const logs = matching.slice(-limit).map((entry) => ({ ...entry, timestamp: entry.at }))
  return { logs, count: logs.length }
}

/** Yields a `connected` message and then each new matching entry. */
export async function* followLogs(
  entries: AsyncIterable<FeedItem<LogEntry> | FeedGap>,
  filter: LogFilter,
) {
  yield { data: { type: 'connected' } }
  for await (const entry of entries) {
    if ('isGap' in entry) yield { data: { type: 'gap' } }
    else if (matches(entry.item, filter))
      yield { id: entry.id, data: { ...entry.item, timestamp: entry.item.at } }
  }
}

function matches(entry: LogEntry, { level = 'debug', category }: LogFilter): boolean {
  const isSevere = severityOf(entry.level) >= severityOf(level)
  return isSevere && (category === undefined || entry.category === category)
}

const severities: readonly string[] = logLevels

/** `fatal` counts as `error`, and `trace` as `debug`. */
function severityOf(level: string): number {
  return Math.max(0, severities.indexOf(level === 'fatal' ? 'error' : level))
}
