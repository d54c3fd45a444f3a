import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Client } from '../../../client/client.ts'
import { messageOf } from '../../../kernel/errors/system-error.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { eachConcurrently, type Progress, showProgress } from '../progress.ts'

/** How the fields of rows become those of memories: `content` from `text.body`. */
type FieldMap = readonly (readonly [field: string, path: string])[]

const saveConcurrency = 16
const maxFileBytes = 268_435_456
const shownBodies = 3
const lists = new Set(['tags'])
const numbers = new Set(['importance'])

interface MappedImport {
  readonly file: string
  readonly map: FieldMap
  /** Stores one body, or counts why it was refused. */
  readonly save: (client: Client, row: number, body: object) => Promise<void>
}

/** The pairs of `content=memory,tags=labels`. */
export function parseFieldMap(pairs: string): FieldMap {
  const map = pairs.split(',').map((pair) => {
    const [field = '', path = '', ...rest] = pair.split('=').map((part) => part.trim())
    if (field === '' || path === '' || rest.length > 0)
      throw new CliError(
        'usage',
        'usage',
        `${pair} is no mapping`,
        'Pass FIELD=PATH pairs, such as --map content=memory,createdAt=meta.date',
      )
    return [field, path] as const
  })
  if (!map.some(([field]) => field === 'content'))
    throw new CliError('usage', 'usage', 'the mapping has no content', 'Add content=PATH to --map.')
  return map
}

/** Prints the first bodies and stores nothing. */
export async function previewMapped(
  { output }: Pick<Call, 'output'>,
  { file, map }: Pick<MappedImport, 'file' | 'map'>,
): Promise<void> {
  const rows = await readRows(file)
  const bodies = rows.slice(0, shownBodies).map((row) => toBody(row, map))
  output.result({ rows: rows.length, bodies }, () =>
    [`${rows.length} rows, of which the first are:`, ...bodies.map(toText)].join('\n'),
  )
}

function toText(body: object): string {
  return JSON.stringify(body, null, 2)
}

/** Stores a memory for each row of a file. */
export async function importMapped(
  { output, connect }: Pick<Call, 'output' | 'connect'>,
  { file, map, save }: MappedImport,
): Promise<void> {
  const rows = await readRows(file)
  const client = await connect()
  const progress: Progress = await showProgress(output, 'Importing', rows.length)
  try {
    await eachConcurrently([...rows.entries()], saveConcurrency, async ([at, row]) => {
      await save(client, at + 1, toBody(row, map))
      progress.advance(1)
    })
  } finally {
    progress.stop()
  }
}

/** The rows of JSON, of JSON lines or of a table with a header. */
async function readRows(file: string): Promise<readonly unknown[]> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new CliError('usage', 'unreadable', `${file} cannot be read: ${error.message}`)
  })
  if (bytes.length > maxFileBytes)
    throw new CliError('usage', 'too_large', `${file} has more than 256 MiB`, 'Divide the file.')
  const text = new TextDecoder().decode(bytes)
  try {
    return /^\.(csv|tsv)$/i.test(extname(file)) ? readTable(text, file) : readJson(text)
  } catch (error) {
    const reason = messageOf(error)
    throw new CliError(
      'usage',
      'unreadable',
      `${file} cannot be read: ${reason}`,
      'Pass a JSON list, JSON lines, or a CSV file with a header.',
    )
  }
}

function readTable(text: string, file: string): unknown[] {
  const delimiter = /\.tsv$/i.test(file) ? '\t' : [',', ';']
  return parse(text, { columns: true, bom: true, delimiter, skip_empty_lines: true })
}

/** The list of a document: the document itself, or its only member that is one. */
function readJson(text: string): readonly unknown[] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError) || !text.trim().includes('\n')) throw error
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => JSON.parse(line))
  }
  if (Array.isArray(document)) return document
  const [list, ...others] = Object.values(Object(document)).filter(Array.isArray)
  return list && others.length === 0 ? list : [document]
}

function toBody(row: unknown, map: FieldMap): Record<string, unknown> {
  const fields = map.flatMap(([field, path]) => {
    const value = toValue(field, readPath(row, path))
    return value === undefined ? [] : [[field, value] as const]
  })
  // A second import of the same row is the same memory.
  const key = hash('sha256', JSON.stringify(fields))
  return { ...Object.fromEntries(fields), idempotencyKey: `import:${key}` }
}

/** `meta.date` of nested rows; a column whose name has a dot comes first. */
function readPath(row: unknown, path: string): unknown {
  const own = Object(row) as Record<string, unknown>
  if (path in own) return own[path]
  return path
    .split('.')
    .reduce<unknown>((value, name) => (Object(value) as Record<string, unknown>)[name], row)
}

function toValue(field: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (lists.has(field) && typeof value === 'string')
    return value.split(/[,;]/).map((part) => part.trim())
  if (numbers.has(field) && typeof value === 'string') return Number(value)
  if (field === 'content' && typeof value !== 'string') return JSON.stringify(value)
  return value
}
