import { isMap, parseDocument } from 'yaml'
import type { Client } from '../../client/client.ts'
import type { ConfigFile } from '../../client/wire.ts'
import { configFileNames } from '../../kernel/config/workspace.ts'
import { CliError } from './failure.ts'

type Settings = Pick<ConfigFile, 'name' | 'content'>

/** The file that the daemon reads: the first existing one of the possible names. */
export async function readSettings(client: Client): Promise<Settings> {
  const { files } = await client.call('GET /api/config')
  const [file] = configFileNames.flatMap((name) => files.find((file) => file.name === name) ?? [])
  return file ?? { name: configFileNames[0], content: '' }
}

export function parseSettings({ name, content }: Settings) {
  const document = parseDocument(content)
  const [first] = document.errors
  if (!first) return document
  throw new CliError('fault', 'config_broken', first.message, `Fix ${name} first.`)
}

export type SettingsDocument = ReturnType<typeof parseSettings>

/** A value stands where the key wants a map: writing through it would lose that value. */
export function assertParentsAreMaps(document: SettingsDocument, path: readonly string[]): void {
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth)
    const node: unknown = document.getIn(above, true)
    if (node === undefined || node === null || isMap(node)) continue
    const message = `${above.join('.')} is a value, not a section`
    throw new CliError('usage', 'bad_key', message)
  }
}
