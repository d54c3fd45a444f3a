import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { OverlayProposal } from './overlay/schemas.ts'

/** Follows rows of the graph that another capability stores texts about. */
export interface ErasureListener {
  /** Deletes rows that depend on purged rows. */
  erased(db: Db, rows: { readonly agentId: string; readonly ids: readonly string[] }): Promise<void>
  /** Hides rows that depend on withheld entities, or shows them again. */
  withheld(db: Db, entities: WithheldEntities): Promise<void>
}

export interface WithheldEntities {
  readonly agentId: string
  readonly ids: readonly string[]
  /** Null when they are visible again. */
  readonly withheldAt: string | null
}

/** Adds proposals and state of another capability to the overlay. */
export interface OverlayMetadata {
  read(
    db: Db,
    agentId: string,
  ): Promise<{ readonly proposals?: readonly OverlayProposal[]; readonly metadata?: object }>
}

export function createPorts() {
  return {
    overlayMetadata: createExtensionPoint<OverlayMetadata>('knowledge.overlayMetadata'),
    erasures: createExtensionPoint<ErasureListener>('knowledge.erasures'),
  }
}
