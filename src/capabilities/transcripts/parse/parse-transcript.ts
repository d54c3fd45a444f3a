import { parseJson } from '../../../kernel/files/read-text.ts'
import type { SourceFormat, Turn } from '../transcript.ts'
import { cleanTurn, joinBlocks } from './clean-turn.ts'
import { dialectOf } from './dialect.ts'
import { type Fields, type RawTurn, readRecord, toFields } from './record.ts'

interface ParsedTranscript {
  readonly turns: readonly Turn[]
  readonly format: SourceFormat
  readonly redactions: number
}

export interface ParseOptions {
  readonly harness: string
}

/** Share of non-empty lines that must be JSON. */
const minRecordShare = 0.6

/** Parses a transcript: JSON lines, a JSON document or plain text. */
export function parseTranscript(raw: string, { harness }: ParseOptions): ParsedTranscript {
  const { selectRecords = identity, selectTurns = identity, isDocument } = dialectOf(harness)
  const records =
    readLines(raw) ?? readDocument(raw) ?? (isDocument && readCutDocument(linesOf(raw)))
  const rawTurns = selectTurns(records ? selectRecords(records).flatMap(toRawTurns) : readText(raw))
  const turns: Turn[] = []
  let redactions = 0
  for (const rawTurn of rawTurns) {
    const { redactions: count, ...turn } = cleanTurn(rawTurn)
    redactions += count
    if (turn.text !== '') turns.push(turn)
  }
  return { turns, format: records ? 'jsonl' : 'markdown', redactions }
}

function identity<All>(all: All): All {
  return all
}

function toRawTurns(record: Fields): RawTurn[] {
  const turn = readRecord(record)
  return turn ? [turn] : []
}

/** Undefined if the lines are not records. */
function readLines(raw: string): Fields[] | undefined {
  const records: Fields[] = []
  let lines = 0
  let parsed = 0
  for (const line of linesOf(raw)) {
    if (line.trim() === '') continue
    lines++
    const value = parseRecord(line)
    if (value !== undefined) parsed++
    records.push(...flatten(value))
  }
  return lines > 0 && parsed / lines >= minRecordShare ? records : undefined
}

function* linesOf(raw: string): Generator<string> {
  let offset = 0
  while (offset < raw.length) {
    const end = raw.indexOf('\n', offset)
    yield raw.slice(offset, end === -1 ? raw.length : end)
    offset = end === -1 ? raw.length : end + 1
  }
}

/** One JSON text over several lines. */
function readDocument(raw: string): Fields[] | undefined {
  if (!/^\s*[[{]/.test(raw.slice(0, 100))) return undefined
  const records = flatten(parseRecord(raw))
  return records.length > 0 ? records : undefined
}

function flatten(value: unknown): Fields[] {
  const fields = toFields(value)
  const list = Array.isArray(value) ? value : fields?.['messages']
  const all: readonly unknown[] = Array.isArray(list) ? list : [value]
  return all.map(toFields).filter((one) => one !== undefined)
}

/** A number or word alone on a line is not a record. */
function parseRecord(text: string): unknown {
  return /^\s*[[{]/.test(text.slice(0, 100)) ? parseJson(text) : undefined
}

function readText(raw: string): RawTurn[] {
  const turns: { role: Turn['role']; lines: string[] }[] = []
  for (const line of linesOf(joinBlocks(raw))) {
    const { speaker, words = line } = speakers.exec(line)?.groups ?? {}
    const last = turns.at(-1)
    if (speaker === undefined && last) last.lines.push(line)
    else turns.push({ role: roleOf(speaker), lines: [words] })
  }
  return turns.map(({ role, lines }) => ({ origin: 'message', role, text: lines.join('\n') }))
}

const speakers = /^[ \t]{0,8}(?<speaker>User|Human|Assistant):(?<words>.*)$/i

function roleOf(speaker: string | undefined): Turn['role'] {
  if (speaker === undefined) return 'unknown'
  return speaker.toLowerCase() === 'assistant' ? 'assistant' : 'user'
}

/** The indentation of list items by `JSON.stringify`. */
const opens = '    {'
const closes = ['    }', '    },']

/** The complete messages of an indented document that lacks its beginning. */
function readCutDocument(lines: Iterable<string>): Fields[] | undefined {
  const messages: Fields[] = []
  let open: string[] | undefined
  for (const line of lines) {
    if (line === opens) open = []
    open?.push(line)
    if (!open || !closes.includes(line)) continue
    const fields = parseItem(open.join('\n'))
    if (fields) messages.push(fields)
    open = undefined
  }
  return messages.length > 0 ? messages : undefined
}

function parseItem(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text.replace(/,$/, '')))
  } catch {
    // Part of another object with the same indentation.
    return undefined
  }
}
