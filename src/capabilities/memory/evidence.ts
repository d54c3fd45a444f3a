import type { EvidenceChange } from '../../kernel/capability/capability.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { MemoryNeeds } from './needs.ts'

const notifications = {
  deleted: 'forgotten',
  recovered: 'recovered',
  purged: 'purged',
} as const

interface Notification extends Omit<EvidenceChange, 'kind'> {
  readonly event: keyof typeof notifications | 'updated'
}

/** Capabilities whose rows cite the memories follow in the same transaction, the last one first. */
export async function notifyDependants(
  { evidenceDependants }: Pick<MemoryNeeds, 'evidenceDependants'>,
  db: Db,
  { event, agentId, ids }: Notification,
): Promise<void> {
  if (event === 'updated' || ids.length === 0) return
  for (const dependant of evidenceDependants?.list().toReversed() ?? [])
    await dependant[notifications[event]](db, { agentId, kind: 'memory', ids })
}
