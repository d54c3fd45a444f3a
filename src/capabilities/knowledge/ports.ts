import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'

/** Deletes what another capability stores about rows of the graph that were purged. */
export interface ErasureListener {
  erased(db: Db, rows: { readonly agentId: string; readonly ids: readonly string[] }): Promise<void>
}

export function createPorts() {
  return {
    erasures: createExtensionPoint<ErasureListener>('knowledge.erasures'),
  }
}
