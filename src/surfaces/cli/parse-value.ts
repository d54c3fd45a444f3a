import { InvalidArgumentError } from 'commander'
import { realHost } from '../../kernel/host/host.ts'
import type { ValueType } from './command.ts'
import { type Bound, readTime } from './times.ts'

/** Parses the text of an option or argument; `previous` holds the earlier values of a list. */
export function parseValue(type: ValueType, text: string, previous?: unknown): unknown {
  return parsers[type](text, previous)
}

const parsers: Readonly<Record<ValueType, (text: string, previous: unknown) => unknown>> = {
  count: (text) => {
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw new InvalidArgumentError('It must be a whole number.')
  },
  number: (text) => {
    if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
    throw new InvalidArgumentError('It must be a number.')
  },
  share: (text) => {
    const share = Number(text)
    if (text.trim() !== '' && share >= 0 && share <= 1) return share
    throw new InvalidArgumentError('It must be a number from 0 to 1.')
  },
  start: (text) => parseTime(text, 'start'),
  end: (text) => parseTime(text, 'end'),
  list: (text, previous) => [...(Array.isArray(previous) ? previous : []), text],
  boolean: (text) => {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new InvalidArgumentError('It must be true or false.')
  },
  // The command reads a file when it runs: parsing is synchronous.
  json: (text) => (text.startsWith('@') || text === '-' ? text : parseJson(text)),
}

function parseTime(text: string, bound: Bound): string {
  const time = readTime(text.trim(), bound, realHost.now())
  if (time !== undefined) return time
  throw new InvalidArgumentError('It must be an ISO time, or like: yesterday, 7d, "2 weeks ago".')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON, @FILE with JSON inside, or - for stdin.')
  }
}
