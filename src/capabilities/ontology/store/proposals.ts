import type { Db } from '../../../kernel/db/database.ts'
import { toIdRange } from '../../../kernel/db/id-prefix.ts'
import { insertRows, listParts } from '../../../kernel/db/insert-rows.ts'
import type { Proposal } from '../proposal.ts'
import { type EvidenceLink, tables, toProposal, toRow } from './rows.ts'

const visible = (db: Db, agentId: string) =>
  tables(db)
    .selectFrom('ontologyProposals')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('withheldAt', 'is', null)

export async function findProposal(
  db: Db,
  agentId: string,
  id: string,
): Promise<Proposal | undefined> {
  const row = await visible(db, agentId).where('id', '=', id).executeTakeFirst()
  return row && toProposal(row)
}

export async function listOfBatch(db: Db, agentId: string, batchId: string): Promise<Proposal[]> {
  const rows = await visible(db, agentId).where('batchId', '=', batchId).orderBy('id').execute()
  return rows.map(toProposal)
}

export interface ProposalFilter {
  readonly status?: Proposal['status'] | undefined
  readonly operation?: string | undefined
  readonly idPrefix?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** The last changed first. */
export async function listProposals(
  db: Db,
  agentId: string,
  { status, operation, idPrefix, limit, offset }: ProposalFilter,
): Promise<Proposal[]> {
  let query = visible(db, agentId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (operation !== undefined) query = query.where('operation', '=', operation)
  if (idPrefix !== undefined) {
    const { first, last } = toIdRange(idPrefix)
    query = query.where('id', '>=', first).where('id', '<=', last)
  }
  const rows = await query
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toProposal)
}

export async function countPending(db: Db, agentId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('ontologyProposals')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Visible proposals of a status, of those changed since a time if one is given. */
export async function countByStatus(
  db: Db,
  agentId: string,
  filter: { readonly status: Proposal['status']; readonly updatedSince?: string },
): Promise<number> {
  const { status, updatedSince = '' } = filter
  const { count } = await tables(db)
    .selectFrom('ontologyProposals')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('status', '=', status)
    .where('updatedAt', '>=', updatedSince)
    .where('withheldAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Of all agents, without withheld ones. */
export async function countAllPending(db: Db): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('ontologyProposals')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('status', '=', 'pending')
    .where('withheldAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The fingerprints that a pending proposal has. */
export async function listPendingFingerprints(
  db: Db,
  agentId: string,
  fingerprints: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (const part of listParts(fingerprints)) {
    const rows = await tables(db)
      .selectFrom('ontologyProposals')
      .select('fingerprint')
      .where('agentId', '=', agentId)
      .where('status', '=', 'pending')
      .where('withheldAt', 'is', null)
      .where('fingerprint', 'in', part)
      .execute()
    for (const { fingerprint } of rows) known.add(fingerprint)
  }
  return known
}

export async function insertProposals(db: Db, proposals: readonly Proposal[]): Promise<void> {
  await insertRows(db, 'ontologyProposals', proposals.map(toRow))
}

export async function updateProposal(db: Db, proposal: Proposal): Promise<void> {
  const { id, ...changed } = toRow(proposal)
  await tables(db).updateTable('ontologyProposals').set(changed).where('id', '=', id).execute()
}

/** Compare-and-set: false when another caller has changed the status. */
export async function claimPending(
  db: Db,
  agentId: string,
  id: string,
): Promise<Proposal | undefined> {
  const row = await tables(db)
    .updateTable('ontologyProposals')
    .set({ status: 'applied' })
    .where('id', '=', id)
    .where('agentId', '=', agentId)
    .where('status', '=', 'pending')
    .where('withheldAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row && toProposal(row)
}

export async function insertEvidenceLinks(db: Db, links: readonly EvidenceLink[]): Promise<void> {
  await insertRows(db, 'ontologyEvidence', links, (conflict) => conflict.doNothing())
}

/** Rejected and failed ones. Applied ones are the audit. */
export async function deleteClosedBefore(db: Db, updatedAt: string): Promise<void> {
  const closed = tables(db)
    .selectFrom('ontologyProposals')
    .select('id')
    .where('status', 'in', ['rejected', 'failed'])
    .where('updatedAt', '<', updatedAt)
  await tables(db).deleteFrom('ontologyEvidence').where('subjectId', 'in', closed).execute()
  await tables(db).deleteFrom('ontologyProposals').where('id', 'in', closed).execute()
}
