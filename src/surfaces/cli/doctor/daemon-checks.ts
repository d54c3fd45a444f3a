import { type Client, readReady } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import type { Ready } from '../../../client/wire.ts'
import { restartCommand } from '../daemon-file.ts'
import { toFailure } from '../failure.ts'
import { examineDomains } from './domains.ts'
import { type Finding, fail, ok, unknown, warn } from './finding.ts'

const answerTimeoutMs = 5000
/** Reasons of these parts are findings of their own, each with its fix. */
const withOwnFix = /^(inference|secrets|plugins|tasks|messages): /

type Fields = Readonly<Record<string, unknown>>

interface Expected {
  /** Of this program. */
  readonly version: string
  /** The configured database server, as far as this shell knows. */
  readonly server: string | undefined
}

/** Checks the health and readiness reports of the daemon. */
export async function examineDaemon(client: Client, expected: Expected): Promise<Finding[]> {
  const { call, url } = client
  const timeoutMs = answerTimeoutMs
  try {
    const live = await call('GET /health/live', { timeoutMs })
    const [health, ready] = await Promise.all([call('GET /health'), readReady(client, timeoutMs)])
    return [
      ok('daemon', `answers at ${url}`),
      examineVersion(live.version, expected.version),
      ...examineReadiness(ready, health.settings),
      ...examineOverrides(ready.checks.capabilities?.['settings']?.['overridden']),
      ...examineUnknownSettings(ready.checks.capabilities?.['settings']?.['unknownSettings']),
      ...(health.dbRuntime === 'postgres' ? [await examineServer(client, expected)] : []),
      examineIntegrity(health.databaseIntegrity),
      examineEmbedding(ready.checks.embedding ?? {}),
      examineInference(ready.checks.inference ?? {}),
      examineSecrets(ready.checks.capabilities?.['secrets'] ?? {}),
      examineDashboard(ready.checks.capabilities?.['dashboard'] ?? {}),
      examineKnowledge(ready.checks.capabilities?.['knowledge'] ?? {}),
      ...(await examineDomains(client)),
    ]
  } catch (error) {
    const { error: detail, hint = 'reverie start' } = toFailure(error)
    return [fail('daemon', detail, hint)]
  }
}

function examineVersion(version: string, own: string): Finding {
  return version === own
    ? ok('version', version)
    : warn('version', `the daemon is ${version}, this is ${own}`, restartCommand)
}

function examineReadiness({ status, reasons }: Ready, settings: string): Finding[] {
  if (status !== 'ready')
    return [fail('ready', reasons.join('; ') || status, 'reverie logs --level error')]
  // Valid settings have no other reason than a restart.
  const isRestart = (reason: string) => settings === 'ok' && reason.startsWith('settings: ')
  const others = reasons.filter((reason) => !withOwnFix.test(reason))
  return others.length === 0
    ? [ok('ready', 'accepts requests')]
    : others.map((reason) =>
        warn('ready', reason, isRestart(reason) ? restartCommand : 'reverie logs --level warn'),
      )
}

function examineOverrides(overridden: unknown): Finding[] {
  const overrides: readonly Fields[] = Array.isArray(overridden) ? overridden.map(Object) : []
  return overrides.map(({ variable, setting }) => {
    const fix = `Unset ${variable} where the daemon is started, or remove ${setting}.`
    return warn('override', `${variable} overrides ${setting} of the settings file`, fix)
  })
}

function examineUnknownSettings(unknownSettings: unknown): Finding[] {
  const settings: readonly Fields[] = Array.isArray(unknownSettings)
    ? unknownSettings.map(Object)
    : []
  return settings.map(({ key, nearest }) => {
    const fix = nearest ? `Rename it to ${nearest}, or remove it.` : 'Remove it.'
    return warn('settings', `${key} is not a setting and has no effect`, fix)
  })
}

async function examineServer({ call }: Client, { server }: Expected): Promise<Finding> {
  try {
    return ok('database', String((await call('GET /api/status'))['memoryDb']))
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error
    return ok('database', server ?? 'PostgreSQL; an operator token shows the server')
  }
}

function examineIntegrity({ state = 'unknown', detail }: Fields): Finding {
  if (state === 'ok') return ok('integrity', 'no damage was found')
  if (state === 'unknown') return unknown('integrity', String(detail ?? 'not checked yet'))
  const fix = 'reverie stop, then reverie restore BACKUP --into NEW_FOLDER'
  return fail('integrity', [state, detail].filter(Boolean).join(': '), fix)
}

function examineEmbedding({ provider, model, available, error }: Fields): Finding {
  const without = 'search is lexical only'
  if (provider == null || provider === 'none')
    return warn('embedding', `none: ${without}`, 'reverie config set embedding.provider static')
  if (available === true) return ok('embedding', [provider, model].filter(Boolean).join(', '))
  const detail = [`${provider} does not reply: ${without}`, error].filter(Boolean).join(': ')
  return warn('embedding', detail, 'reverie logs --level warn')
}

/** The findings of its domain have the problems. */
function examineInference({ status = 'disabled', reason }: Fields): Finding {
  return status === 'degraded'
    ? warn('inference', String(status), 'reverie inference status')
    : ok('inference', [status, reason].filter(Boolean).join(': '))
}

const restoreKey =
  'Put the key file back, or run: reverie secret key import FILE (made by: reverie secret key export FILE)'

function examineSecrets({ state = 'empty', reason, secrets = 0, unreadable = 0 }: Fields): Finding {
  if (state === 'locked') return warn('secrets', `locked: ${reason}`, restoreKey)
  const detail = `${state}, ${secrets} stored`
  if (Number(unreadable) === 0) return ok('secrets', detail)
  const fix = 'Store them again with reverie secret put, or delete them.'
  return warn('secrets', `${detail}, ${unreadable} cannot be decrypted`, fix)
}

function examineDashboard({ enabled, built }: Fields): Finding {
  if (enabled === undefined) return unknown('dashboard', 'an older daemon does not report it')
  if (enabled === false) return ok('dashboard', 'disabled by dashboard.enabled')
  if (built === true) return ok('dashboard', 'open it with reverie dashboard')
  return warn('dashboard', 'the pages are not built', 'npm run build')
}

function examineKnowledge({ entities, claims, links, ...counts }: Fields): Finding {
  // An older daemon, or a check that failed.
  if (entities === undefined) return unknown('knowledge', 'not counted')
  const { pendingProposals, withheld, claimsWithoutCitation: uncited } = counts
  const detail = `${entities} entities, ${claims} claims, ${links} links, ${pendingProposals} proposals to review, ${withheld} withheld`
  return Number(uncited) === 0
    ? ok('knowledge', detail)
    : warn(
        'knowledge',
        `${detail}, ${uncited} claims without a citation`,
        'reverie ontology hygiene',
      )
}
