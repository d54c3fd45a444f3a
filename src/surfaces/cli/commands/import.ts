import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import { explainError } from '../../../kernel/errors/system-error.ts'
import { type Call, command, option } from '../command.ts'
import { isMissing } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { eachConcurrently, type Progress, showProgress } from '../progress.ts'
import { type Line, readLines } from '../read-lines.ts'
import { importMapped, parseFieldMap, previewMapped } from './import-mapped.ts'

const saveConcurrency = 16
/** Lines between two checkpoints. */
const chunkSize = 256
/** The maximum request body of the daemon. */
const maxLineBytes = 1_048_576
const maxShownRejections = 100

interface Rejection {
  readonly line: number
  readonly reason: string
}

interface Tally {
  imported: number
  duplicates: number
  rejected: number
  readonly rejections: Rejection[]
}

interface Options {
  readonly map?: string
  readonly dryRun?: boolean
}

export const importMemories = command<Options>({
  usage: 'import <file>',
  summary: 'Store the memories of a file, one per line; - reads stdin',
  options: [
    option(
      '--map <pairs>',
      'read JSON, JSON lines or CSV of another program: content=memory,createdAt=meta.date',
    ),
    option('--dry-run', 'with --map: show the first three memories and store nothing'),
  ],
  examples: ['reverie import memories.jsonl', 'zcat memories.jsonl.gz | reverie import -'],
  run: importFrom,
})

async function importFrom(call: Call<Options>): Promise<void> {
  const { args, output, options } = call
  const [file = '-'] = args
  if (options.map !== undefined) return importWithMap(call, file, options.map)
  if (options.dryRun)
    throw new CliError('usage', 'usage', '--dry-run needs --map', 'Add --map content=PATH.')
  const client = await call.connect()
  const from = await readBeginning(file, client.url)
  const { line: skipped, imported, duplicates, rejected, size } = from
  if (skipped > 0) output.note(`Resuming after line ${skipped}.`)
  const tally: Tally = { imported, duplicates, rejected, rejections: [] }
  const progress = await showProgress(output, 'Importing', size)
  try {
    await importLines(client, { file, from, tally, progress })
  } finally {
    progress.stop()
  }
  if (file !== '-') await rm(pathOfCheckpoint(file), { force: true })
  finish(call, tally)
}

async function importWithMap(call: Call<Options>, file: string, pairs: string): Promise<void> {
  const map = parseFieldMap(pairs)
  if (call.options.dryRun) return previewMapped(call, { file, map })
  const tally: Tally = { imported: 0, duplicates: 0, rejected: 0, rejections: [] }
  await importMapped(call, {
    file,
    map,
    save: (client, line, body) => saveOne(client, { line, toBody: () => body }, tally),
  })
  finish(call, tally)
}

function finish({ output }: Pick<Call, 'output'>, tally: Tally): void {
  output.result(tally, () => renderTally(tally))
  if (tally.rejected > 0)
    throw new CliError('refused', 'lines_rejected', `${tally.rejected} lines were rejected`)
}

async function readBeginning(file: string, url: string): Promise<Checkpoint> {
  const nothing = { line: 0, imported: 0, duplicates: 0, rejected: 0 }
  if (file === '-') return { url, size: 0, mtimeMs: 0, ...nothing }
  const { size, mtimeMs } = await stat(file).catch((error: Error) => {
    throw new CliError('usage', 'unreadable', `${file} cannot be read`, explainError(error))
  })
  const checkpoint = await readCheckpoint(file)
  const same = checkpoint?.url === url && checkpoint.size === size && checkpoint.mtimeMs === mtimeMs
  return same ? checkpoint : { url, size, mtimeMs, ...nothing }
}

interface Import {
  readonly file: string
  readonly from: Checkpoint
  readonly tally: Tally
  readonly progress: Progress
}

async function importLines(client: Client, { file, from, tally, progress }: Import): Promise<void> {
  const stream = file === '-' ? process.stdin : createReadStream(file)
  let chunk: Line[] = []
  const importChunk = async () => {
    await eachConcurrently(chunk, saveConcurrency, (line) => importLine(client, line, tally))
    const { number = from.line } = chunk.at(-1) ?? {}
    const { imported, duplicates, rejected } = tally
    const checkpoint = { ...from, line: number, imported, duplicates, rejected }
    if (file !== '-') await writeCheckpoint(file, checkpoint)
    chunk = []
  }
  for await (const line of readLines(stream, maxLineBytes)) {
    progress.advance(line.bytes)
    if (line.number <= from.line) continue
    chunk.push(line)
    if (chunk.length === chunkSize) await importChunk()
  }
  if (chunk.length > 0) await importChunk()
}

async function importLine(client: Client, line: Line, tally: Tally): Promise<void> {
  if (line.text === '') return
  await saveOne(client, { line: line.number, toBody: () => toBody(line.text) }, tally)
}

interface Saving {
  readonly line: number
  readonly toBody: () => object
}

async function saveOne(client: Client, { line, toBody }: Saving, tally: Tally): Promise<void> {
  try {
    const body = toBody()
    const { deduped } = await client.call('POST /api/memory/remember', { body })
    if (deduped) tally.duplicates += 1
    else tally.imported += 1
  } catch (error) {
    tally.rejected += 1
    // The list is bounded; the count is not.
    if (tally.rejections.length < maxShownRejections)
      tally.rejections.push({ line, reason: toReason(error) })
  }
}

class BadLine extends Error {}

function toBody(text: string | undefined): object {
  if (text === undefined) throw new BadLine(`longer than ${maxLineBytes} bytes`)
  const line = parseJson(text)
  const body = Object(line) as Record<string, unknown>
  if (body !== line || typeof body['content'] !== 'string')
    throw new BadLine('not an object with content')
  const { idempotencyKey, idempotency_key, metadata } = body
  const inside = Object(metadata) as Record<string, unknown>
  const own = [idempotencyKey, idempotency_key, inside['idempotencyKey'], inside['idempotency_key']]
  if (own.some((key) => key != null)) return body
  // A second import of the same line is the same memory.
  const key = `import:${hash('sha256', text)}`
  return { ...body, idempotencyKey: key }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadLine('not JSON')
  }
}

const rejectionStatuses = new Set([400, 403, 409, 413, 415, 422])

/** The reason of a rejected line; any other error ends the import, which can be resumed. */
function toReason(error: unknown): string {
  if (error instanceof BadLine) return error.message
  if (error instanceof ReverieError && rejectionStatuses.has(error.status ?? 0))
    return error.message
  throw error
}

function renderTally({ imported, duplicates, rejected, rejections }: Tally): string {
  const mark = rejected > 0 ? colors.yellow('!') : colors.green('✓')
  const lines = rejections.map(({ line, reason }) => `  line ${line}: ${toLine(reason)}`)
  const more = rejected - rejections.length
  return [
    `${mark} ${imported} imported, ${duplicates} duplicates, ${rejected} rejected`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n')
}

/** The progress of an import of one version of a file into one daemon. */
interface Checkpoint {
  readonly url: string
  readonly size: number
  readonly mtimeMs: number
  /** The last line that is complete. */
  readonly line: number
  readonly imported: number
  readonly duplicates: number
  readonly rejected: number
}

function pathOfCheckpoint(file: string): string {
  return `${file}.reverie-progress`
}

/** Undefined for a missing or broken file: the import starts from the first line. */
async function readCheckpoint(file: string): Promise<Checkpoint | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(pathOfCheckpoint(file), 'utf8'))
    return isCheckpoint(content) ? content : undefined
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return undefined
    throw error
  }
}

/** Written in place: a kill would leave a temporary file, and a truncated file counts as missing. */
async function writeCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  await writeFile(pathOfCheckpoint(file), JSON.stringify(checkpoint), { mode: 0o600 })
}

function isCheckpoint(value: unknown): value is Checkpoint {
  const fields = Object(value) as Record<string, unknown>
  const numbers = ['size', 'mtimeMs', 'line', 'imported', 'duplicates', 'rejected']
  return typeof fields['url'] === 'string' && numbers.every((name) => Number.isFinite(fields[name]))
}
