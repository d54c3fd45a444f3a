import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { OverlayProposal } from './overlay/schemas.ts'

/** Deletes what another capability stores about rows of the graph that were purged. */
export interface ErasureListener {
  erased(db: Db, rows: { readonly agentId: string; readonly ids: readonly string[] }): Promise<void>
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
