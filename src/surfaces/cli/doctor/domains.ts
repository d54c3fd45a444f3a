import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import { type Finding, fail, ok, unknown, warn } from './finding.ts'

type Fields = Readonly<Record<string, unknown>>

/** The score of the service, and each finding of a domain with its fix. */
export async function examineDomains({ call }: Client): Promise<Finding[]> {
  try {
    const { composite, timestamp: _, ...domains } = await call('GET /api/diagnostics')
    const { score, status } = Object(composite)
    return [
      ok('score', `${Number(score).toFixed(2)} of 1, ${status}`),
      ...Object.entries(domains).flatMap(([name, domain]) => listFindings(name, Object(domain))),
    ]
  } catch (error) {
    // A daemon of an earlier version, or a token without the permission.
    if (!(error instanceof ReverieError)) throw error
    return [unknown('score', `not available: ${error.message}`)]
  }
}

/** The readiness report shows these with their own fixes. */
const shownElsewhere = ['secrets', 'settings']

function listFindings(name: string, { status, reasons }: Fields): Finding[] {
  if (shownElsewhere.includes(name) || !Array.isArray(reasons)) return []
  const toFinding = status === 'unhealthy' ? fail : warn
  return reasons.map((reason: Fields) => {
    const { detail, fix } = reason
    const command = Object(fix)['command'] ?? 'See docs/operations.md, chapter Diagnostics.'
    return toFinding(name, String(detail), String(command))
  })
}
