import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import type { LogEntry } from '../../../client/wire.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { type Output, toLine } from '../output.ts'

export interface LogsOptions {
  readonly lines: number
  readonly level?: string
  readonly follow?: boolean
}

export async function logs(call: Call<LogsOptions>): Promise<void> {
  const { options, output, connect } = call
  const { lines: limit, level, follow } = options
  const client = await connect()
  if (follow) return followLogs(client, call)
  const reply = await client.service.logs({ limit, level })
  output.result(reply, () =>
    reply.logs.length === 0 ? 'The log is empty.' : reply.logs.map(renderEntry).join('\n'),
  )
}

/** The stream is opened before the newest lines are asked for, so that none falls between. */
async function followLogs(client: Client, { options, output }: Call<LogsOptions>): Promise<void> {
  const { lines: limit, level } = options
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.stdout.once('error', () => stopping.abort())
  try {
    const stream = await client.service.openLogs({ level }, stopping.signal)
    const { logs: newest } = await client.service.logs({ limit, level })
    for (const entry of newest) await writeEntry(output, entry)
    const written = new Set(newest.map(renderEntry))
    for await (const entry of readEntries(stream))
      if (!written.delete(renderEntry(entry))) await writeEntry(output, entry)
    const message = `the daemon at ${client.url} closed the connection`
    throw new ReverieError({ code: 'unreachable', message })
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
}

async function* readEntries(stream: ReadableStream<Uint8Array>): AsyncGenerator<LogEntry> {
  const events = stream
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    const entry = JSON.parse(data) as Partial<LogEntry>
    if (entry.message !== undefined) yield entry as LogEntry
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
