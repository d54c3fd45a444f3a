import { basename } from 'node:path'
import type { Client } from '../../../client/client.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { busyWith } from '../progress.ts'
import { readBytes } from './document-add.ts'

interface Options {
  readonly duplicates?: string
}

interface FileResult {
  readonly fileName: string
  readonly status: 'imported' | 'duplicate' | 'failed'
  readonly sourceId?: string
  readonly error?: string
}

interface Imported {
  readonly imported: number
  readonly failed: number
  readonly files: readonly FileResult[]
}

const timeoutMs = 600_000
const maxFiles = 25

export const importFiles = command<Options>({
  usage: 'import files <files...>',
  summary: 'Import files as sources: their text is found by recall, and deleted with the source',
  options: [
    option('--duplicates <mode>', 'for a file that was imported before; default: skip', {
      choices: ['skip', 'replace', 'reimport'],
    }),
  ],
  examples: ['reverie import files notes.md --duplicates replace'],
  run: importAll,
})

async function importAll(call: Call<Options>): Promise<void> {
  const { args, options, output, connect } = call
  if (args.length > maxFiles)
    throw new CliError(
      'usage',
      'too_many_files',
      `${args.length} files are more than ${maxFiles}`,
      'Run the command for some of them at a time, or add their folder: reverie connector add FOLDER',
    )
  const form = new FormData()
  for (const path of args)
    form.append('files', new Blob([Uint8Array.from(await readBytes(path))]), basename(path))
  if (options.duplicates !== undefined) form.append('duplicateMode', options.duplicates)
  const client = await connect()
  const reply = await busyWith(output, `Importing ${args.length} files`, () => send(client, form))
  output.result(reply, () => reply.files.map(render).join('\n'))
  if (reply.failed > 0)
    throw new CliError(
      'refused',
      'files_failed',
      `${toCount(reply.failed, 'file')} not imported`,
      'docs/documents.md lists the formats and the reasons.',
    )
}

/** The form as bytes: the boundary is a part of its content type. */
async function send(client: Client, form: FormData): Promise<Imported> {
  const encoded = new Response(form)
  const contentType = encoded.headers.get('content-type') ?? ''
  const reply = await client.call('POST /api/sources/import', {
    bytes: new Uint8Array(await encoded.arrayBuffer()),
    headers: { 'content-type': contentType },
    timeoutMs,
  })
  return reply as Imported
}

function render({ fileName, status, sourceId, error }: FileResult): string {
  if (status === 'failed')
    return `${colors.yellow('!')} ${toLine(fileName)}: ${toLine(error ?? '')}`
  const note = status === 'duplicate' ? ', imported before' : ''
  return `${colors.green('✓')} ${toLine(fileName)} (${sourceId})${note}`
}
