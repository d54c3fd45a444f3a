import { z } from 'zod'
import type { FeedItem } from '../../kernel/feed/feed.ts'
import * as read from '../../kernel/http/wire-values.ts'
import type { LogEntry } from './needs.ts'

/** In ascending severity. */
const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]

interface LogsQuery {
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

export const logsQuery = z
  .object({
    limit: read.integer('limit', { min: 1, max: 1000, default: 100 }),
    level: z.enum(logLevels, `level must be one of ${logLevels.join(', ')}`).optional(),
    category: read.text,
    since: read.time('since'),
  })
  .transform(({ limit, level, category, since }): LogsQuery => ({ limit, level, category, since }))

export const logsReply = z.object({
  logs: z.array(
    z.object({
      at: z.string(),
      timestamp: z.string(),
      level: z.string(),
      category: z.string(),
      message: z.string(),
    }),
  ),
  count: z.int(),
})

export function toLogsReply(entries: readonly LogEntry[]): z.input<typeof logsReply> {
  const logs = entries.map((entry) => ({ ...entry, timestamp: entry.at }))
  return { logs, count: logs.length }
}
