/** A side of an entity that groups its claims, in its stored format. */
export interface Aspect {
  readonly id: string
  readonly agentId: string
  readonly entityId: string
  readonly name: string
  readonly canonicalName: string
  readonly weight: number
  readonly status: 'active' | 'archived'
  readonly archivedAt: string | null
  readonly archivedBy: string | null
  readonly archiveReason: string | null
  readonly proposalId: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly withheldAt: string | null
}

export const defaultWeight = 0.5
export const maxAspects = 200
