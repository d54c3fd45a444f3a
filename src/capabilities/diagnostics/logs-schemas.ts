import { z } from 'zod'
import * as read from '../../kernel/http/wire-values.ts'
import type { LogEntry } from './needs.ts'
import { type LogsQuery, logLevels } from './read-logs.ts'

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
