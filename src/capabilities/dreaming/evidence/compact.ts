import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { findEntries } from '../store/evidence.ts'
import { type SourceRef, sourceKinds, toRef } from './evidence.ts'
import type { Scan } from './scan.ts'

/** Entities whose evidence a compact pass reads again. */
const maxEntities = 200
const kinds: ReadonlySet<string> = new Set(sourceKinds)

/** Adds the evidence of the most mentioned entities, whether it was read before or not. */
export async function widenScan(
  { knowledge }: Pick<DreamingNeeds, 'knowledge'>,
  db: Db,
  { agentId, scan }: { readonly agentId: string; readonly scan: Scan },
): Promise<Scan> {
  const names = await knowledge.ledger.listNames(db, agentId, maxEntities)
  const ids = names.map(({ id }) => id)
  const claims = await knowledge.ledger.listClaimsOf(db, agentId, ids)
  const citations = await knowledge.ledger.listClaimCitations(
    db,
    agentId,
    claims.map(({ id }) => id),
  )
  const refs = citations
    .filter(({ sourceKind }) => kinds.has(sourceKind))
    .map((citation) => citation as SourceRef)
  const known = await findEntries(db, agentId, refs)
  const cited = new Set(refs.map(toRef))
  const changed = new Set(scan.entries.map(toRef))
  const again = [...known.values()]
    .filter((entry) => cited.has(toRef(entry)) && !changed.has(toRef(entry)))
    .map((entry) => ({ ...entry, rulesChars: 0, modelChars: 0, disposition: 'new' as const }))
  return { ...scan, entries: [...scan.entries, ...again] }
}
