import { resolve } from 'node:path'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { type Call, command } from '../command.ts'
import { colors } from '../output.ts'
import { busyWith } from '../progress.ts'

/** A large workspace takes long. */
const timeoutMs = 30 * 60_000

export const backup = command({
  usage: 'backup [file]',
  summary: 'Archive the whole workspace, on the machine of the daemon',
  examples: ['reverie backup', 'reverie backup /media/stick/reverie.tar.gz'],
  run: createBackup,
})

async function createBackup({ args: [file], output, connect }: Call): Promise<void> {
  const client = await connect()
  const body = { file: file && resolve(file) }
  const made = await busyWith(output, 'Backing up', () =>
    client.call('POST /api/workspace/backup', { body, timeoutMs }),
  )
  output.result(made, () => {
    const size = `${(made.bytes / 1_048_576).toFixed(1)} MiB`
    return `${colors.green('✓')} ${toCount(made.files, 'file')}, ${size}, in ${made.file}`
  })
}
