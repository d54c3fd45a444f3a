import { resolve } from 'node:path'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { busyWith } from '../progress.ts'

export async function backup({ args: [file], output, connect }: Call): Promise<void> {
  const client = await connect()
  const made = await busyWith(output, 'Backing up', () =>
    client.service.backup({ file: file && resolve(file) }),
  )
  output.result(made, () => {
    const size = `${(made.bytes / 1_048_576).toFixed(1)} MiB`
    return `${colors.green('✓')} ${made.files} files, ${size}, in ${made.file}`
  })
}
