import { hash } from 'node:crypto'
import type { Proposal } from '../proposal.ts'

type Identity = Pick<Proposal, 'operation' | 'payload' | 'sourceKind' | 'sourceId' | 'sourcePath'>

/** Equal for the same operation, payload and source. The order of fields does not matter. */
export function fingerprintOf(identity: Identity): string {
  const { operation, payload, sourceKind, sourceId, sourcePath } = identity
  return hash(
    'sha256',
    JSON.stringify([operation, sort(payload), sourceKind, sourceId, sourcePath]),
  )
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, field]) => [name, sort(field)])
}
