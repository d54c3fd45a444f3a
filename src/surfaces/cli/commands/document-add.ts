import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { messageOf } from '../../../kernel/errors/system-error.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { busyWith } from '../progress.ts'
import type { Row } from '../render.ts'
import { readContent } from './remember.ts'

interface AddOptions {
  readonly title?: string
  readonly project?: string
  readonly wait?: boolean
}

/** The upload of a large file. */
const timeoutMs = 120_000
const pollMs = 250
const pendingStatuses = ['queued', 'extracting', 'chunking', 'embedding', 'indexing']

export const addDocument = command<AddOptions>({
  usage: 'document add <source>',
  summary: 'Add a file, a URL or - for stdin, and wait until its text is searchable',
  options: [
    option('--title <text>', 'title of the document; default: the name of the file'),
    option('--project <name>', 'project of the document'),
    option('--no-wait', 'return once the document is queued'),
  ],
  examples: [
    'reverie document add report.pdf',
    'reverie document add https://example.org/handbook --project atlas',
    'pandoc notes.tex -t markdown | reverie document add - --title Notes',
  ],
  run: add,
})

async function add(call: Call<AddOptions>): Promise<void> {
  const { options, output } = call
  const [source = ''] = call.args
  const body = { ...(await readSource(source)), ...pickOptions(options) }
  const client = await call.connect()
  const added = Object(await client.call('POST /api/documents', { body, timeoutMs })) as Row
  const document =
    options.wait === false
      ? added
      : await busyWith(output, `Reading ${toLine(source)}`, () =>
          waitFor(client, String(added['id'])),
        )
  if (document['status'] === 'failed')
    throw new CliError(
      'refused',
      'document_failed',
      `${toLine(source)} was not read: ${String(document['error'])}`,
      explain(source, String(document['error'])),
    )
  output.result(document, () => renderAdded(document, added))
}

function explain(source: string, error: string): string {
  return error.startsWith('outbound_address') && URL.canParse(source)
    ? `To read it, run: reverie config set outbound.allow '["${new URL(source).origin}"]'`
    : 'docs/documents.md lists the formats and the reasons.'
}

function pickOptions({ title, project }: AddOptions): Row {
  return { ...(title !== undefined && { title }), ...(project !== undefined && { project }) }
}

async function readSource(source: string): Promise<Row> {
  if (/^https?:\/\//i.test(source)) return { source_type: 'url', url: source }
  if (source === '-') return { source_type: 'text', content: await readContent(source) }
  const bytes = await readBytes(source)
  const file = { source_type: 'file', title: basename(source) }
  const text = decode(bytes)
  return text === undefined
    ? { ...file, encoding: 'base64', content: bytes.toString('base64') }
    : { ...file, content: text }
}

/** Names the file and the remedy, because a message of the system has neither. */
export async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const [reason, hint] = problems[String(Object(error).code)] ?? [
      `cannot be read: ${messageOf(error)}`,
      undefined,
    ]
    throw new CliError('usage', 'unreadable', `${toLine(path)} ${reason}`, hint)
  }
}

const problems: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  ENOENT: ['does not exist', 'Check the path. A URL begins with http:// or https://.'],
  ENOTDIR: ['does not exist', 'Check the path. A URL begins with http:// or https://.'],
  EISDIR: ['is a folder', 'Add its files with: reverie connector add FOLDER --glob "**/*"'],
  EACCES: ['may not be read by this user', 'Change its permissions, or copy the file.'],
}

/** The text of a file in UTF-8; undefined for other bytes. */
function decode(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

async function waitFor(client: Client, id: string): Promise<Row> {
  for (;;) {
    const {
      content: _,
      raw_content: __,
      ...document
    } = Object(await client.call('GET /api/documents/:id', { path: { id } })) as Row
    if (!pendingStatuses.includes(String(document['status']))) return document
    await sleep(pollMs)
  }
}

function renderAdded({ status, chunk_count: chunks }: Row, { id, deduplicated }: Row): string {
  const title = deduplicated ? 'Already added' : status === 'done' ? 'Added' : 'Queued'
  const size = chunks === undefined ? '' : `, ${toCount(Number(chunks), 'chunk')}`
  return `${colors.green('✓')} ${title}${size}\n  ${colors.dim(String(id))}`
}
