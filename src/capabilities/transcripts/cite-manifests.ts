import { transaction } from '../../kernel/db/transaction.ts'
import type { Manifest } from './artifact.ts'
import { manifestArtifact, writeManifest } from './manifest.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { findManifest, updateManifest, upsertArtifact } from './store/artifacts.ts'

interface Citation {
  readonly agentId: string
  readonly sessionTokens: readonly string[]
  /** The citing file, relative to the workspace. */
  readonly path: string
}

/** Records the citation in the manifests of these sessions. Existing citations stay unchanged. */
export async function citeManifests(needs: TranscriptsNeeds, citation: Citation): Promise<void> {
  const { agentId, sessionTokens, path } = citation
  for (const sessionToken of new Set(sessionTokens)) {
    const stored = await findManifest(needs.db, { agentId, sessionToken })
    if (!stored || stored.memoryMdRefs.includes(path)) continue
    const manifest = await addCitation(needs, stored, path)
    // After a concurrent update the next render adds the citation.
    if (manifest) await writeManifest(needs, manifest)
  }
}

function addCitation(
  { db, host }: TranscriptsNeeds,
  stored: Manifest,
  path: string,
): Promise<Manifest | undefined> {
  const manifest = {
    ...{ ...stored, memoryMdRefs: [...stored.memoryMdRefs, path] },
    ...{ revision: stored.revision + 1, updatedAt: host.now().toISOString() },
  }
  return transaction(db, async (db) => {
    if (!(await updateManifest(db, manifest))) return undefined
    await upsertArtifact(db, manifestArtifact(manifest))
    return manifest
  })
}
