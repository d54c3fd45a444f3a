import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Client } from '../../../client/client.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { toExportLine } from '../../../transcript-formats/index.ts'
import { type Call, command, option } from '../command.ts'
import {
  type ExportFormat,
  exportFormats,
  isOwnExport,
  readExport,
} from '../conversations/read-export.ts'
import { type Imported, isKnown, uploadFile } from '../conversations/upload-file.ts'
import { CliError } from '../failure.ts'
import { colors } from '../output.ts'
import { busyWith, showProgress } from '../progress.ts'
import { readLines } from '../read-lines.ts'

interface Options {
  readonly from?: ExportFormat
  readonly project?: string
  readonly dryRun?: boolean
  readonly resume?: boolean
  readonly continued?: boolean
}

/** The lines of an export, in a file that is deleted after the upload. */
interface Lines {
  readonly file: string
  readonly conversations: number
  /** Messages of branches that the user left. */
  readonly omitted: number
  /** Files and elements without a conversation. */
  readonly skipped: number
  readonly from: string
}

export const importConversations = command<Options>({
  usage: 'import conversations <path>',
  summary: 'Import conversations of ChatGPT, Claude, Claude Code, Codex, Gemini or Reverie',
  options: [
    option('--from <program>', 'the program that wrote the export; detected by default', {
      choices: exportFormats,
    }),
    option('--project <project>', 'the project of all conversations'),
    option('--dry-run', 'count the conversations and upload nothing'),
    option('--resume', 'continue an interrupted upload'),
    option('--continued', 'store a conversation again if it has new messages'),
  ],
  examples: ['reverie import conversations conversations.json --dry-run'],
  run: importFrom,
})

async function importFrom(call: Call<Options>): Promise<void> {
  const { args, options, output } = call
  const path = resolve(args[0] ?? '')
  const folder = await mkdtemp(join(tmpdir(), 'reverie-import-'))
  try {
    const client = await call.connect()
    const lines = await busyWith(output, 'Reading', () => writeLines(call, path, folder))
    const { conversations, omitted, skipped, from } = lines
    const plan = { from, conversations, omitted, skipped }
    if (options.dryRun)
      return output.result(plan, () => `${toCount(conversations, 'conversation')} of ${from}`)
    const done = await upload(call, client, { path, lines, resume: options.resume === true })
    const outcome = options.continued
      ? await addContinued(call, client, { path, lines, done, folder })
      : done
    const { imported, duplicate, rejected, jobId } = outcome
    output.result({ ...plan, imported, duplicate, rejected, jobId }, () => render(plan, outcome))
    if (rejected > 0)
      throw new CliError(
        'refused',
        'lines_rejected',
        `${toCount(rejected, 'conversation')} rejected`,
        'List them with: GET /api/sources/imports/ID/rejections. Add --continued to store conversations with new messages again.',
      )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeLines(call: Call<Options>, path: string, folder: string): Promise<Lines> {
  const { from, project } = call.options
  const isOwn = from === undefined ? await isOwnExport(path) : from === 'svc'
  if (isOwn) return countLines(path)
  const { agentId = 'default' } = call.environment
  const file = join(folder, 'conversations.jsonl')
  const totals = { conversations: 0, omitted: 0, skipped: 0, from: from ?? 'svc' }
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const read of readExport(path, from)) {
      const { conversation } = read
      if (!conversation) {
        totals.skipped += 1
        continue
      }
      const named = { ...conversation, project: project ?? conversation.project }
      await handle.appendFile(`${toExportLine(named, { from: read.from, agentId })}\n`)
      totals.from = read.from
      totals.conversations += 1
      totals.omitted += conversation.omitted
    }
  } finally {
    await handle.close()
  }
  return { ...totals, file }
}

const maxLineBytes = 16_777_217

async function countLines(file: string): Promise<Lines> {
  let conversations = 0
  for await (const { text } of readLines(createReadStream(file), maxLineBytes))
    if (text !== '') conversations++
  return { file, conversations, omitted: 0, skipped: 0, from: 'svc' }
}

interface Uploading {
  readonly path: string
  readonly lines: Pick<Lines, 'file' | 'conversations'>
  readonly resume: boolean
}

async function upload({ output }: Call<Options>, client: Client, uploading: Uploading) {
  const { path, lines, resume } = uploading
  if (lines.conversations === 0)
    throw new CliError(
      'usage',
      'empty',
      `${path} contains no conversation`,
      'Name the program with --from.',
    )
  const progress = await showProgress(output, 'Uploading', 0)
  try {
    return await uploadFile(client, {
      progress,
      resume,
      file: lines.file,
      name: basename(path),
      checkpoint: `${path}.reverie-import`,
    })
  } finally {
    progress.stop()
  }
}

/** Imports conflicting conversations again under a key with their number of messages. */
async function addContinued(
  call: Call<Options>,
  client: Client,
  { path, lines, done, folder }: { path: string; lines: Lines; done: Imported; folder: string },
): Promise<Imported> {
  const conflicts = await listConflicts(client, done.jobId)
  if (conflicts.size === 0) return done
  const file = join(folder, 'continued.jsonl')
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const { number, text = '' } of readLines(
      createReadStream(lines.file),
      maxLineBytes,
    )) {
      if (!conflicts.has(number)) continue
      const line = JSON.parse(text)
      const key = `${line.session_key}:${line.message_count}`
      await handle.appendFile(`${JSON.stringify({ ...line, session_key: key })}\n`)
    }
  } finally {
    await handle.close()
  }
  const more = { path, lines: { file, conversations: conflicts.size }, resume: false }
  const added = await upload(call, client, more)
  return {
    ...done,
    imported: done.imported + added.imported,
    duplicate: done.duplicate + added.duplicate,
    rejected: done.rejected - conflicts.size + added.rejected,
  }
}

async function listConflicts(client: Client, jobId: string): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>()
  for (let cursor: string | undefined; ; ) {
    const route = 'GET /api/sources/imports/:jobId/rejections'
    const page = Object(await client.call(route, { path: { jobId }, query: { cursor } }))
    for (const { rejection_code: code, line_number: number } of page.rejections)
      if (code === 'conversation_identity_conflict') numbers.add(number)
    if (!page.nextCursor) return numbers
    cursor = page.nextCursor
  }
}

function render(
  { from, omitted, skipped }: Pick<Lines, 'from' | 'omitted' | 'skipped'>,
  outcome: Imported,
): string {
  const { imported, duplicate, rejected, state } = outcome
  const mark = rejected > 0 || state !== 'completed' ? colors.yellow('!') : colors.green('✓')
  const notes = [
    ...(omitted > 0 ? [`  ${omitted} messages of other branches were left out`] : []),
    ...(skipped > 0 ? [`  ${skipped} entries contain no conversation`] : []),
  ]
  const counts = isKnown(outcome)
    ? `already imported, ${toCount(duplicate, 'duplicate')}`
    : `${imported} imported, ${duplicate} duplicates, ${rejected} rejected`
  return [`${mark} ${from}: ${counts}`, ...notes].join('\n')
}
