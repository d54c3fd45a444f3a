import { pino } from 'pino'
import { toCleanText } from '../redaction/clean-text.ts'

export interface LogEntry {
  readonly level: string
  readonly category: string
  readonly message: string
  /** ISO time. */
  readonly at: string
  /** The other fields of the line. */
  readonly data?: Readonly<Record<string, unknown>>
  /** In milliseconds. */
  readonly duration?: number
  readonly error?: LoggedError
}

interface LoggedError {
  readonly name: string
  readonly message: string
  readonly stack?: string
}

const maxTextLength = 2_000
const maxDataLength = 4_096
const maxDepth = 4

/** Reads a line of the log, without its credentials. */
export function toEntry(line: string): LogEntry {
  const { level, category = 'daemon', msg = '', time, err, durationMs, ...data } = JSON.parse(line)
  return {
    level: pino.levels.labels[level] ?? 'info',
    category,
    message: toCleanText(String(msg).slice(0, maxTextLength)),
    at: time,
    ...(Object.keys(data).length > 0 && { data: toData(data) }),
    ...(typeof durationMs === 'number' && { duration: durationMs }),
    ...(err && { error: toError(err) }),
  }
}

function toData(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (JSON.stringify(data).length > maxDataLength) return { truncated: true }
  return clean(data, maxDepth) as Readonly<Record<string, unknown>>
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toCleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.map((item) => clean(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, clean(item, depth - 1)]),
  )
}

function toError({ type, message, stack }: Readonly<Record<string, unknown>>): LoggedError {
  const cut = (text: unknown) => toCleanText(String(text).slice(0, maxTextLength))
  return {
    name: cut(type ?? 'Error'),
    message: cut(message ?? ''),
    ...(typeof stack === 'string' && { stack: cut(stack) }),
  }
}
