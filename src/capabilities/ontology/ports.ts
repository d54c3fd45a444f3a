import type { Db } from '../../kernel/db/database.ts'
import type { Evidence, EvidenceRef } from './evidence/evidence.ts'

/** A kind of evidence that another capability stores. */
export interface EvidenceSource {
  readonly kind: EvidenceRef['kind']
  read(db: Db, agentId: string, id: string): Promise<Evidence | undefined>
}
