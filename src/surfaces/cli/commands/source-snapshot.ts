import { readFile } from 'node:fs/promises'
import { ReverieError, toReverieError } from '../../../client/public/reverie-error.ts'
import { messageOf } from '../../../kernel/errors/system-error.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { busyWith } from '../progress.ts'
import { writeAtomically } from './export.ts'

interface Options {
  readonly includeLocalChat?: boolean
}

const timeoutMs = 600_000
const localChat = option('--include-local-chat', 'with direct messages of a desktop client')
const route = '/api/sources/:sourceId/snapshot'

export const exportSource = command<Options>({
  usage: 'source export <id> <file>',
  summary: 'Write what a source has indexed to a file',
  options: [localChat],
  examples: ['reverie source export notes-vault:4f1c0a9be2d37856 notes.json'],
  run: exportTo,
})

export const restoreSource = command<Options>({
  usage: 'source restore <id> <file>',
  summary: 'Replace what a source has indexed by an exported file',
  options: [localChat],
  examples: ['reverie source restore notes-vault:4f1c0a9be2d37856 notes.json'],
  run: restoreFrom,
})

async function exportTo(call: Call<Options>): Promise<void> {
  const { args, options, output, connect } = call
  const [sourceId = '', file = ''] = args
  const client = await connect()
  const query = { includeLocalChat: options.includeLocalChat }
  const reply = await client.open(`GET ${route}`, { path: { sourceId }, query })
  if (!reply.ok) throw await toReverieError(reply)
  let bytes = 0
  await busyWith(output, 'Exporting', () =>
    writeAtomically(file, async (write) => {
      for await (const text of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        bytes += Buffer.byteLength(text)
        await write(text)
      }
      return bytes
    }),
  )
  output.result({ file, bytes }, () => `${colors.green('✓')} ${bytes} bytes are in ${toLine(file)}`)
}

async function restoreFrom(call: Call<Options>): Promise<void> {
  const { args, options, output, connect } = call
  const [sourceId = '', file = ''] = args
  const body = await readSnapshot(file)
  const client = await connect()
  const query = { includeLocalChat: options.includeLocalChat }
  const reply = await busyWith(output, 'Restoring', () =>
    client
      .call(`POST ${route}/import`, { path: { sourceId }, query, body, timeoutMs })
      .catch((error: unknown) => {
        throw explainMissing(sourceId, error)
      }),
  )
  const { imported } = Object(reply) as { readonly imported?: number }
  output.result(Object(reply), () => `${colors.green('✓')} Restored ${imported} items`)
}

/** A deleted source gets its id again when it is added again. */
function explainMissing(sourceId: string, error: unknown): unknown {
  if (!(error instanceof ReverieError) || error.code !== 'source_not_found') return error
  return new CliError(
    'not_found',
    error.code,
    `no source has the id ${toLine(sourceId)}`,
    'A snapshot restores an existing source. Add the folder, address or file again with reverie source add or reverie import files, then restore.',
  )
}

async function readSnapshot(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const reason = messageOf(error)
    throw new CliError(
      'usage',
      'unreadable',
      `${toLine(file)} is no snapshot: ${reason}`,
      'Pass a file that reverie source export has written.',
    )
  }
}
