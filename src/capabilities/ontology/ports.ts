import type { Db } from '../../kernel/db/database.ts'
import type { Evidence, EvidenceRef } from './evidence/evidence.ts'

/** The last row that a reader has seen: the time of its change and its id. */
interface ChangeCursor {
  readonly updatedAt: string
  readonly id: string
}

/** A source whose text may have changed, without the text. */
interface ChangedSource {
  readonly id: string
  readonly contentHash: string
  readonly sourceTime: string
  readonly updatedAt: string
  readonly chars: number
}

/** Live sources of an agent in the order of their changes. */
export interface EvidenceChanges {
  list(
    db: Db,
    agentId: string,
    page: { readonly after: ChangeCursor; readonly limit: number },
  ): Promise<readonly ChangedSource[]>
  /** Of all sources after the cursor. */
  sum(
    db: Db,
    agentId: string,
    after: ChangeCursor,
  ): Promise<{ readonly chars: number; readonly count: number; readonly oldestAt: string | null }>
}

/** A kind of evidence that another capability stores. */
export interface EvidenceSource {
  readonly kind: EvidenceRef['kind']
  read(db: Db, agentId: string, id: string): Promise<Evidence | undefined>
  readonly changes?: EvidenceChanges
}
