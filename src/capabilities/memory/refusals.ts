import { Refusal, type RefusalKind } from '../../kernel/errors/refusal.ts'
import type { MemoryConfig } from './config.ts'
import type { Memory } from './memory.ts'

/** Days in which a deleted memory can be recovered. */
export const retentionDays = 30 as const
/** The sweep purges memories that were deleted earlier. */
export const retentionWindowMs = retentionDays * 24 * 60 * 60 * 1000

/** Why a memory is not changed. The default kind is `conflict`. */
const refusals = {
  already_deleted: 'Memory is already deleted.',
  deleted: 'Memory is deleted.',
  not_deleted: 'The memory is not deleted.',
  retention_expired: `Deleted over ${retentionDays} days ago.`,
  pinned_requires_force: 'Memory is pinned. Pass force=true.',
  autonomous_force_denied: 'Agents cannot force-delete a pinned memory.',
  episodic_content_immutable:
    'Text and type of a memory are immutable. Save a new memory with `supersedes`, or run: reverie replace ID TEXT',
  semantic_projection_content_immutable:
    'Text and type of the memory follow its claim. Change the claim instead.',
  version_conflict: 'The memory is at version {version}.',
  self_supersede: 'A memory cannot supersede itself.',
  scope_mismatch: 'The memories differ in agent, project, scope or visibility.',
  supersede_cycle: 'Superseding would create a cycle.',
  already_superseded: 'Memory is already superseded by another memory.',
} as const

const kinds: Readonly<Record<string, RefusalKind>> = {
  autonomous_force_denied: 'forbidden',
  self_supersede: 'invalid',
}

export function refusalOf(
  { id, version }: Pick<Memory, 'id' | 'version'>,
  code: keyof typeof refusals,
): Refusal {
  const message = refusals[code].replace('{version}', String(version))
  const details = { id, status: code, currentVersion: version }
  return new Refusal(kinds[code] ?? 'conflict', code, message, details)
}

export function assertWritable({ mutationsFrozen }: MemoryConfig): void {
  if (!mutationsFrozen) return
  const message = 'Mutations are frozen (kill switch active)'
  throw new Refusal('unavailable', 'mutations_frozen', message)
}
