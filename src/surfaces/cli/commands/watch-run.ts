import { EventSourceParserStream } from 'eventsource-parser/stream'
import colors from 'picocolors'
import type { Client } from '../../../client/client.ts'
import { Unreachable } from '../../../client/client-error.ts'
import type { LogEntry } from '../../../client/wire.ts'
import type { Call } from '../command.ts'
import { type Output, toLine } from '../output.ts'

export interface Watching {
  readonly lines: number
  readonly level?: string
  readonly follow?: boolean
}

export async function status({ output, connect }: Call): Promise<void> {
  const client = await connect()
  const [health, ready] = await Promise.all([client.service.health(), client.service.ready(5000)])
  const { status, version, pid, uptime } = health
  const found = { url: client.url, status, version, pid, uptime, ready: ready.status === 'ready' }
  const { reasons } = ready
  output.result({ ...found, reasons, health }, () => {
    const good = status === 'healthy' && found.ready
    const mark = good ? colors.green('✓') : colors.yellow('!')
    const lines = [
      `${mark} ${status}, ${ready.status.replace('_', ' ')}, at ${colors.cyan(client.url)}`,
      `  version ${version}, process ${pid}, up ${toDuration(Number(uptime))}`,
      ...reasons.map((reason) => `  ${colors.yellow('!')} ${toLine(reason)}`),
    ]
    return good ? lines.join('\n') : [...lines, '  See: reverie doctor'].join('\n')
  })
}

export async function logs({ options, output, connect }: Call<Watching>): Promise<void> {
  const { lines: limit, level, follow } = options
  const client = await connect()
  const reply = await client.service.logs({ limit, level })
  if (!follow)
    return output.result(reply, () =>
      reply.logs.length === 0 ? 'The log is empty.' : reply.logs.map(renderEntry).join('\n'),
    )
  for (const entry of reply.logs) await writeEntry(output, entry)
  await followLogs(client, output, level)
}

async function followLogs(client: Client, output: Output, level: string | undefined) {
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.stdout.once('error', () => stopping.abort())
  try {
    const body = await client.service.openLogs({ level }, stopping.signal)
    const events = body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { data } of events) {
      const entry = JSON.parse(data) as Partial<LogEntry>
      if (entry.message !== undefined) await writeEntry(output, entry as LogEntry)
    }
    throw new Unreachable(client.url, 'unreachable', `the daemon at ${client.url} went away`)
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

function toDuration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ] as const
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}
