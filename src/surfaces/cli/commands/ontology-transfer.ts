import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Client } from '../../../client/client.ts'
import { messageOf } from '../../../kernel/errors/system-error.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { parseJson } from '../../../kernel/files/read-text.ts'
import { type Call, command } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { busyWith, showProgress } from '../progress.ts'
import { readLines } from '../read-lines.ts'
import { writeAtomically } from './export.ts'

const pageSize = 500
/** Items of one request. */
const partLength = 200
const maxLineBytes = 1_048_576
const maxShownRejections = 100

export const exportGraph = command({
  usage: 'ontology export <file>',
  summary: 'Write the graph of the agent to a file, one item a line; - writes to stdout',
  examples: ['reverie ontology export graph.jsonl', 'reverie ontology export - | gzip > graph.gz'],
  run: async ({ args: [file = '-'], output, connect }) => {
    const client = await connect()
    if (file === '-') return output.note(toCount(await writeItems(client, output.write), 'item'))
    const items = await busyWith(output, 'Exporting', () =>
      writeAtomically(file, (write) => writeItems(client, write)),
    )
    output.result(
      { file, items },
      () => `${colors.green('✓')} ${toCount(items, 'item')} written to ${file}`,
    )
  },
})

async function writeItems(client: Client, write: (text: string) => Promise<void>): Promise<number> {
  let count = 0
  let cursor: string | undefined
  do {
    const query = { limit: pageSize, cursor }
    const { items, next } = await client.call('GET /api/ontology/export', { query })
    if (items.length > 0) await write(items.map((item) => `${JSON.stringify(item)}\n`).join(''))
    count += items.length
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return count
}

export const importGraph = command({
  usage: 'ontology import <file>',
  summary: 'Write the items of an export into the graph of the agent; - reads stdin',
  examples: [
    'reverie ontology import graph.jsonl',
    'reverie ontology import graph.jsonl --agent ada',
  ],
  run: importFrom,
})

interface NumberedItem {
  readonly line: number
  readonly item: unknown
}

interface Tally {
  created: number
  existing: number
  rejected: number
  readonly rejections: { readonly line: number; readonly error: string }[]
}

async function importFrom({ args: [file = '-'], output, connect }: Call): Promise<void> {
  const client = await connect()
  const size = file === '-' ? 0 : await sizeOf(file)
  const tally: Tally = { created: 0, existing: 0, rejected: 0, rejections: [] }
  const progress = await showProgress(output, 'Importing', size)
  try {
    await importLines(client, { file, tally, onBytes: (bytes) => progress.advance(bytes) })
  } finally {
    progress.stop()
  }
  output.result(tally, () => renderTally(tally))
  if (tally.rejected > 0)
    throw new CliError('refused', 'lines_rejected', `${tally.rejected} lines were rejected`)
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    const reason = messageOf(error)
    throw new CliError('usage', 'unreadable', `${file} cannot be read: ${reason}`)
  }
}

interface Import {
  readonly file: string
  readonly tally: Tally
  readonly onBytes: (bytes: number) => void
}

/** Known items change nothing, so that an interrupted import is started again. */
async function importLines(client: Client, { file, tally, onBytes }: Import): Promise<void> {
  let part: NumberedItem[] = []
  const sendPart = async () => {
    const items = part.map(({ item }) => item)
    const lines = part.map(({ line }) => line)
    part = []
    if (items.length > 0) await send(client, { items, lines, tally })
  }
  const stream = file === '-' ? process.stdin : createReadStream(file)
  for await (const { bytes, number, text } of readLines(stream, maxLineBytes)) {
    onBytes(bytes)
    if (text === '') continue
    const item = text === undefined ? undefined : parseJson(text)
    if (item === undefined) reject(tally, number, 'not JSON, or longer than 1 MiB')
    else part.push({ line: number, item })
    if (part.length === partLength) await sendPart()
  }
  await sendPart()
}

interface Part {
  readonly items: readonly unknown[]
  readonly lines: readonly number[]
  readonly tally: Tally
}

async function send(client: Client, { items, lines, tally }: Part): Promise<void> {
  const { created, existing, rejected } = await client.call('POST /api/ontology/import', {
    body: { items: [...items] },
  })
  tally.created += created
  tally.existing += existing
  for (const { index, error } of rejected) reject(tally, lines[index] ?? 0, error)
}

function reject(tally: Tally, line: number, error: string): void {
  tally.rejected += 1
  // The list is bounded; the count is not.
  if (tally.rejections.length < maxShownRejections) tally.rejections.push({ line, error })
}

function renderTally({ created, existing, rejected, rejections }: Tally): string {
  const mark = rejected > 0 ? colors.yellow('!') : colors.green('✓')
  const lines = rejections.map(({ line, error }) => `  line ${line}: ${toLine(error)}`)
  return [`${mark} ${created} created, ${existing} known, ${rejected} rejected`, ...lines].join(
    '\n',
  )
}
