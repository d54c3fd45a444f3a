import { transaction } from '../../kernel/db/transaction.ts'
import type { Manifest } from './artifact.ts'
import { manifestArtifact, writeManifest } from './manifest.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { findManifest, updateManifest, upsertArtifact } from './store/artifacts.ts'

interface Citing {
  readonly agentId: string
  readonly sessionTokens: readonly string[]
  /** The render that cites them, within the workspace. */
  readonly path: string
}

/** Has the manifests of these sessions say that they are cited; those that say so stay as they are. */
export async function citeManifests(needs: TranscriptsNeeds, citing: Citing): Promise<void> {
  const { agentId, sessionTokens, path } = citing
  for (const sessionToken of new Set(sessionTokens)) {
    const stored = await findManifest(needs.db, { agentId, sessionToken })
    if (!stored || stored.memoryMdRefs.includes(path)) continue
    const manifest = await cite(needs, stored, path)
    // Somebody else was faster: the next render cites it.
    if (manifest) await writeManifest(needs, manifest)
  }
}

function cite(
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
