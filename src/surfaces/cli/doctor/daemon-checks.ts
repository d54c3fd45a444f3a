import type { Client } from '../../../client/client.ts'
import { toFailure } from '../failure.ts'
import { type Finding, fail, ok, unknown, warn } from './finding.ts'

const answerTimeoutMs = 5000

type Fields = Readonly<Record<string, unknown>>

/** What the daemon says of itself. */
export async function examineDaemon(client: Client, ownVersion: string): Promise<Finding[]> {
  const { service, url } = client
  try {
    const live = await service.live(answerTimeoutMs)
    const [health, ready] = await Promise.all([service.health(), service.ready(answerTimeoutMs)])
    return [
      ok('daemon', `answers at ${url}`),
      examineVersion(live.version, ownVersion),
      ...examineReadiness(ready.status, ready.reasons),
      examineIntegrity(health.databaseIntegrity),
      examineEmbedding(ready.checks.embedding ?? {}),
      examineInference(ready.checks.inference ?? {}),
    ]
  } catch (error) {
    const { error: detail, hint = 'reverie start' } = toFailure(error)
    return [fail('daemon', detail, hint)]
  }
}

function examineVersion(version: string, own: string): Finding {
  return version === own
    ? ok('version', version)
    : warn('version', `the daemon is ${version}, this is ${own}`, 'reverie stop && reverie start')
}

function examineReadiness(status: string, reasons: readonly string[]): Finding[] {
  if (status !== 'ready')
    return [fail('ready', reasons.join('; ') || status, 'reverie logs --level error')]
  return reasons.length === 0
    ? [ok('ready', 'takes requests')]
    : reasons.map((reason) => warn('ready', reason, 'reverie logs --level warn'))
}

function examineIntegrity({ state = 'unknown', detail }: Fields): Finding {
  if (state === 'ok') return ok('integrity', 'no damage was found')
  if (state === 'unknown') return unknown('integrity', String(detail ?? 'not checked yet'))
  const fix = 'reverie stop, then reverie restore BACKUP --into NEW_FOLDER'
  return fail('integrity', [state, detail].filter(Boolean).join(': '), fix)
}

function examineEmbedding({ provider, available, error }: Fields): Finding {
  const without = 'search is by words alone'
  if (provider == null || provider === 'none')
    return warn('embedding', `none: ${without}`, 'reverie config set embedding.provider static')
  if (available === true) return ok('embedding', String(provider))
  const detail = [`${provider} does not answer: ${without}`, error].filter(Boolean).join(': ')
  return warn('embedding', detail, 'reverie logs --level warn')
}

function examineInference({ status = 'disabled', reason }: Fields): Finding {
  const detail = [status, reason].filter(Boolean).join(': ')
  return status === 'blocked' || status === 'degraded'
    ? warn('inference', detail, 'reverie config get inference')
    : ok('inference', detail)
}
