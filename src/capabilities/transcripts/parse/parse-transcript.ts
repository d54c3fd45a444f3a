import type { SourceFormat, Turn } from '../transcript.ts'
import { cleanTurn, joinBlocks } from './clean-turn.ts'
import { readCutDocument } from './cut-document.ts'
import { dialectOf } from './dialect.ts'
import { type Fields, toFields } from './fields.ts'
import { readRecord, type Told } from './record.ts'

export interface Parsed {
  readonly turns: readonly Turn[]
  readonly format: SourceFormat
  readonly redactions: number
}

export interface Parsing {
  readonly harness: string
}

/** Of the lines that are not empty, so many must be JSON. */
const leastRecords = 0.6

/** The conversation in a harness's own words: records line by line, a list of them, or plain text. */
export function parseTranscript(raw: string, { harness }: Parsing): Parsed {
  const { settle = same, hear = same, isDocument } = dialectOf(harness)
  const records =
    readLines(raw) ?? readDocument(raw) ?? (isDocument && readCutDocument(linesOf(raw)))
  const told = hear(records ? settle(records).flatMap(tellOf) : readText(raw))
  const turns: Turn[] = []
  let redactions = 0
  for (const one of told) {
    const { redactions: found, ...turn } = cleanTurn(one)
    redactions += found
    if (turn.text !== '') turns.push(turn)
  }
  return { turns, format: records ? 'jsonl' : 'markdown', redactions }
}

function same<All>(all: All): All {
  return all
}

function tellOf(record: Fields): Told[] {
  const told = readRecord(record)
  return told ? [told] : []
}

/** Undefined when these are not lines of records. */
function readLines(raw: string): Fields[] | undefined {
  const records: Fields[] = []
  let lines = 0
  let parsed = 0
  for (const line of linesOf(raw)) {
    if (line.trim() === '') continue
    lines++
    const value = parseJson(line)
    if (value !== undefined) parsed++
    records.push(...flatten(value))
  }
  return lines > 0 && parsed / lines >= leastRecords ? records : undefined
}

function* linesOf(raw: string): Generator<string> {
  let at = 0
  while (at < raw.length) {
    const end = raw.indexOf('\n', at)
    yield raw.slice(at, end === -1 ? raw.length : end)
    at = end === -1 ? raw.length : end + 1
  }
}

/** One JSON text over many lines. */
function readDocument(raw: string): Fields[] | undefined {
  if (!/^\s*[[{]/.test(raw.slice(0, 100))) return undefined
  const records = flatten(parseJson(raw))
  return records.length > 0 ? records : undefined
}

function flatten(value: unknown): Fields[] {
  const fields = toFields(value)
  const list = Array.isArray(value) ? value : fields?.['messages']
  const all: readonly unknown[] = Array.isArray(list) ? list : [value]
  return all.map(toFields).filter((one) => one !== undefined)
}

/** Numbers and words on a line of their own are no records. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text.slice(0, 100))) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readText(raw: string): Told[] {
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
