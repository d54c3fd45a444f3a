import type { Client } from '../../../client/client.ts'
import type { LogEntry } from '../../../client/wire.ts'
import { type Call, command, option } from '../command.ts'
import { colors, type Output, toLine } from '../output.ts'
import { closedEarly, openEvents } from '../read-events.ts'

export interface LogsOptions {
  readonly lines: number
  readonly level?: string
  readonly category?: string
  readonly follow?: boolean
}

export const logs = command<LogsOptions>({
  usage: 'logs',
  summary: 'Show the newest lines of the log',
  options: [
    option('-n, --lines <n>', 'number of lines', { type: 'count', default: 50 }),
    option('--level <level>', 'minimum level', { choices: ['debug', 'info', 'warn', 'error'] }),
    option('--category <name>', 'part of the service, such as hooks or sync'),
    option('--follow', 'keep printing new lines until Ctrl-C'),
  ],
  examples: ['reverie logs -n 20', 'reverie logs --level warn --follow'],
  run: showLogs,
})

async function showLogs(call: Call<LogsOptions>): Promise<void> {
  const { options, output, connect } = call
  const { lines: limit, level, category, follow } = options
  const client = await connect()
  if (follow) return followLogs(client, call)
  const reply = await client.call('GET /api/logs', { query: { limit, level, category } })
  output.result(reply, () =>
    reply.logs.length === 0 ? 'The log is empty.' : reply.logs.map(renderEntry).join('\n'),
  )
}

/** Opens the stream before it reads the newest lines, so that no line is lost between them. */
async function followLogs(client: Client, { options, output }: Call<LogsOptions>): Promise<void> {
  const { lines: limit, level, category } = options
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.stdout.once('error', () => stopping.abort())
  try {
    const { signal } = stopping
    const { events } = await openEvents(client, 'GET /api/logs/stream', {
      query: { level, category },
      signal,
    })
    const query = { limit, level, category }
    const { logs: newest } = await client.call('GET /api/logs', { query })
    for (const entry of newest) await writeEntry(output, entry)
    const printed = new Set(newest.map(renderEntry))
    for await (const { data } of events) {
      const entry = data as Partial<LogEntry> as LogEntry
      const isEntry = entry.message !== undefined
      if (isEntry && !printed.delete(renderEntry(entry))) await writeEntry(output, entry)
    }
    throw closedEarly(client)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
}

/** One line each, in JSON too: an endless list is no document. */
function writeEntry(output: Output, entry: LogEntry): Promise<void> {
  return output.write(`${output.json ? JSON.stringify(entry) : renderEntry(entry)}\n`)
}

function renderEntry({ at, level, category, message }: LogEntry): string {
  const paint = { error: colors.red, warn: colors.yellow }[level] ?? String
  const where = colors.dim(category.padEnd(10))
  return `${colors.dim(at)} ${paint(level.padEnd(5))} ${where} ${toLine(message, 400)}`
}
