import { stringify } from 'yaml'
import type { Client } from '../../../client/client.ts'
import { type Call, command } from '../command.ts'
import { restartCommand } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import {
  assertParentsAreMaps,
  parseSettings,
  readSettings,
  type SettingsDocument,
} from '../settings-file.ts'

export const getConfig = command({
  usage: 'config get [key]',
  summary: 'Show the settings, or one value',
  examples: ['reverie config get', 'reverie config get auth.mode'],
  run: get,
})

export const setConfig = command({
  usage: 'config set <key> <value>',
  summary: 'Change one setting; keeps comments in the file',
  examples: ['reverie config set logging.level debug', 'reverie config set auth.mode team'],
  run: set,
})

async function get({ args: [key], output, connect }: Call): Promise<void> {
  const settings = await readSettings(await connect())
  const document = parseSettings(settings)
  if (key === undefined) {
    const data: unknown = document.toJS() ?? {}
    const { content } = settings
    return output.result(data, () => content.trimEnd() || 'Every setting has its default.')
  }
  const path = key.split('.')
  if (!document.hasIn(path))
    throw new CliError('not_found', 'not_set', `${key} is not set`, 'The default applies.')
  const value = toValue(document, path)
  output.result({ key, value }, () => stringify(value).trimEnd())
}

async function set({ args, output, connect }: Call): Promise<void> {
  const [key = '', text = ''] = args
  const client = await connect()
  const settings = await readSettings(client)
  const document = parseSettings(settings)
  const value: unknown = parseSettings({ name: 'the value', content: text }).toJS()
  const path = key.split('.')
  if (path.some((part) => part === ''))
    throw new CliError(
      'usage',
      'bad_key',
      `${key} is not a key`,
      'Use a dotted key such as logging.level',
    )
  assertParentsAreMaps(document, path)
  document.setIn(path, value)
  const file = { file: settings.name, content: document.toString() }
  await assertKnown(client, file, key)
  const { waitingForRestart: waiting = [] } = await client.call('POST /api/config', { body: file })
  const waitingForRestart = waiting.filter((name) => isWithin(name, key) || isWithin(key, name))
  output.result({ key, value, waitingForRestart }, () =>
    [
      `${key} is now ${stringify(value).trimEnd()}`,
      ...(waitingForRestart.length > 0
        ? [`It takes effect after a restart: ${restartCommand}`]
        : []),
    ].join('\n'),
  )
}

/** A key that no setting has would be saved without an effect. */
async function assertKnown(client: Client, file: object, key: string): Promise<void> {
  const { unknownSettings = [] } = await client.call('POST /api/config', {
    body: { ...file, dryRun: true },
  })
  const unknown = unknownSettings.find((setting) => isWithin(setting.key, key))
  if (!unknown) return
  const { nearest } = unknown
  const hint = nearest ? `Did you mean ${nearest}?` : 'See the list of settings in the docs.'
  throw new CliError('usage', 'unknown_setting', `${unknown.key} is not a setting`, hint)
}

function isWithin(name: string, section: string): boolean {
  return name === section || name.startsWith(`${section}.`)
}

function toValue(document: SettingsDocument, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, part) => Object(at)[part], document.toJS())
}
