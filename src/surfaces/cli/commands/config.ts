import { stringify } from 'yaml'
import type { SettingsChange } from '../../../client/wire.ts'
import { type Call, command } from '../command.ts'
import { restartCommand } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { parseSettings, readSettings, type SettingsDocument } from '../settings-file.ts'

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
  const value: unknown = parseSettings({ name: 'the value', content: text }).toJS()
  if (key.split('.').some((part) => part === ''))
    throw badKey(`${key} is not a key`, 'Use a dotted key such as logging.level')
  const { hash } = await client.call('GET /api/settings')
  const body = { changes: [{ key, value }], hash }
  const { issues } = await client.call('POST /api/settings', { body: { ...body, dryRun: true } })
  for (const issue of issues) assertUsable(issue)
  const { restartRequired: waitingForRestart } = await client.call('POST /api/settings', { body })
  output.result({ key, value, waitingForRestart }, () =>
    [
      `${key} is now ${stringify(value).trimEnd()}`,
      ...(waitingForRestart.length > 0
        ? [`It takes effect after a restart: ${restartCommand}`]
        : []),
    ].join('\n'),
  )
}

type Issue = SettingsChange['issues'][number]

/** Throws for a key that is wrong on the command line; the daemon refuses an invalid value. */
function assertUsable({ code, key, message, nearest }: Issue): void {
  if (code === 'invalid_path') throw badKey(message)
  if (code === 'invalid_value') return
  const hint = nearest ? `Did you mean ${nearest}?` : 'See the list of settings in the docs.'
  throw new CliError('usage', 'unknown_setting', `${key} is not a setting`, hint)
}

function badKey(message: string, hint?: string): CliError {
  return new CliError('usage', 'bad_key', message, hint)
}

function toValue(document: SettingsDocument, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, part) => Object(at)[part], document.toJS())
}
