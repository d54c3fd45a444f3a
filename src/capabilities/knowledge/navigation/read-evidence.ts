import type { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import { notFound } from '../../../kernel/errors/refusal.ts'
import { maxActiveValues } from '../claim.ts'
import { readEvidence } from '../evidence/citations.ts'
import { findLink } from '../store/claims.ts'
import type { ValuePage } from '../store/slots.ts'
import { readAttributes } from './read-path.ts'
import type * as reply from './replies.ts'
import { toDependencyRecord } from './replies.ts'
import { toGroupKey } from './resolve.ts'

interface Owner {
  readonly agentId: string
}

interface SlotPath extends Pick<ValuePage, 'status' | 'kind' | 'limit' | 'offset'> {
  readonly entity: string
  readonly aspect: string
  readonly group?: string | undefined
  readonly claim: string
}

/** What supports the values of a slot: the citations, then the source of the value itself. */
export async function readClaimEvidence(
  db: Db,
  owner: Owner,
  path: SlotPath,
): Promise<z.input<typeof reply.claimEvidenceReply>> {
  const { entity, aspect, items: values } = await readSlot(db, owner, path)
  const items = values.map((attribute) => {
    const evidence = attribute.proposalEvidence
    return { attribute, evidence, evidenceCount: evidence.length }
  })
  const groupKey = toGroupKey(path.group)
  const claimKey = values[0]?.claimKey ?? toGroupKey(path.claim)
  return { entity, aspect, groupKey, claimKey, items, count: items.length }
}

/** An unknown step of the path has one answer. */
async function readSlot(db: Db, owner: Owner, path: SlotPath) {
  const unknown = notFound('Claim path not found')
  const slot = await readAttributes(db, owner, path).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'Refusal' ? unknown : error
  })
  if (slot.items.length > 0 || path.offset > 0) return slot
  const any = await readAttributes(db, owner, { ...path, status: 'all', kind: undefined, limit: 1 })
  if (any.items.length === 0) throw unknown
  return slot
}

/** Every version of a slot, the newest first. */
export async function readVersions(
  db: Db,
  owner: Owner,
  path: Omit<SlotPath, 'status' | 'kind' | 'limit' | 'offset'>,
): Promise<z.input<typeof reply.versionsReply>> {
  const page = { status: 'all', kind: undefined, limit: maxActiveValues, offset: 0 } as const
  const { entity, aspect, items } = await readSlot(db, owner, { ...path, ...page })
  return { entity, aspect, items, count: items.length }
}

export async function readLinkEvidence(
  db: Db,
  { agentId }: Owner,
  id: string,
): Promise<z.input<typeof reply.linkEvidenceReply>> {
  const link = await findLink(db, agentId, id)
  if (!link) throw notFound('Link not found')
  const evidenceOf = await readEvidence(db, 'link', [id])
  const items = [...evidenceOf(id)]
  return { dependency: toDependencyRecord(link, items), items, count: items.length }
}
