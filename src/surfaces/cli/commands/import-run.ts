import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import type { RememberRequest } from '../../../client/wire.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { eachConcurrently } from '../each-concurrently.ts'
import { CliError } from '../failure.ts'
import {
  type Checkpoint,
  pathOfCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from '../import-checkpoint.ts'
import { toLine } from '../output.ts'
import { type Progress, showProgress } from '../progress.ts'
import { type Line, readLines } from '../read-lines.ts'

const saveConcurrency = 16
/** Lines between two checkpoints. */
const chunkSize = 256
/** No larger body is taken by the daemon. */
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

export async function importMemories(call: Call): Promise<void> {
  const { args, output } = call
  const [file = '-'] = args
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
  output.result(tally, () => renderTally(tally))
  if (tally.rejected > 0)
    throw new CliError('refused', 'lines_rejected', `${tally.rejected} lines were rejected`)
}

async function readBeginning(file: string, url: string): Promise<Checkpoint> {
  const nothing = { line: 0, imported: 0, duplicates: 0, rejected: 0 }
  if (file === '-') return { url, size: 0, mtimeMs: 0, ...nothing }
  const { size, mtimeMs } = await stat(file).catch((error: Error) => {
    throw new CliError('usage', 'unreadable', `${file} cannot be read: ${error.message}`)
  })
  const found = await readCheckpoint(file)
  const same = found?.url === url && found.size === size && found.mtimeMs === mtimeMs
  return same ? found : { url, size, mtimeMs, ...nothing }
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
    const reached = { ...from, line: number, imported, duplicates, rejected }
    if (file !== '-') await writeCheckpoint(file, reached)
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
  try {
    const { deduped } = await client.memory.remember(toBody(line.text))
    if (deduped) tally.duplicates += 1
    else tally.imported += 1
  } catch (error) {
    tally.rejected += 1
    // The memory of it is bounded; the count is not.
    if (tally.rejections.length < maxShownRejections)
      tally.rejections.push({ line: line.number, reason: toReason(error) })
  }
}

class BadLine extends Error {}

function toBody(text: string | undefined): RememberRequest {
  if (text === undefined) throw new BadLine(`longer than ${maxLineBytes} bytes`)
  const written = parseJson(text)
  const body = Object(written) as Record<string, unknown>
  if (body !== written || typeof body['content'] !== 'string')
    throw new BadLine('not an object with content')
  const { idempotencyKey, idempotency_key, metadata } = body
  const inside = Object(metadata) as Record<string, unknown>
  const own = [idempotencyKey, idempotency_key, inside['idempotencyKey'], inside['idempotency_key']]
  if (own.some((key) => key != null)) return body as unknown as RememberRequest
  // The same line, imported again, is the same memory.
  const key = `import:${createHash('sha256').update(text).digest('hex')}`
  return { ...body, idempotencyKey: key } as unknown as RememberRequest
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadLine('not JSON')
  }
}

const rejectionStatuses = new Set([400, 403, 409, 413, 415, 422])

/** A line that is refused for what it says; anything else ends the import, to be resumed. */
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
