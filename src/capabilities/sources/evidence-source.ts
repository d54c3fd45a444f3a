import type { EvidenceDependant } from '../../kernel/capability/capability.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { EvidenceSource } from '../ontology/index.ts'
import { findLiveArtifact } from './store/artifacts.ts'
import { artifactChanges } from './store/changed-artifacts.ts'

/** Claims may cite an artifact as `source:<path>`. Others wrote its text. */
export const artifactEvidence: EvidenceSource = {
  kind: 'artifact',
  changes: artifactChanges,
  read: async (db, agentId, sourcePath) => {
    const row = await findLiveArtifact(db, agentId, sourcePath)
    if (!row) return undefined
    const { content: text, capturedAt: sourceTime, project } = row
    return { text, sourceTime, visibility: 'private', project, trust: 'external' }
  },
}

/** Follows artifacts that are removed: what cites them is hidden, then purged. */
export async function forgetArtifacts(
  {
    evidenceDependants,
  }: { readonly evidenceDependants: Pick<ExtensionPoint<EvidenceDependant>, 'list'> },
  db: Db,
  { agentId, paths }: { readonly agentId: string; readonly paths: readonly string[] },
): Promise<void> {
  if (paths.length === 0) return
  const change = { agentId, kind: 'artifact', ids: paths } as const
  for (const dependant of evidenceDependants.list().toReversed()) {
    await dependant.forgotten(db, change)
    await dependant.purged(db, change)
  }
}
