import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import {
  artifactPath,
  type Field,
  hashBody,
  hashScope,
  type Manifest,
  renderArtifact,
} from './artifact.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { findManifest, insertManifest, updateManifest, upsertArtifact } from './store/artifacts.ts'
import { sessionTokenOf } from './transcript.ts'

type ManifestIdentity = Pick<
  Manifest,
  'agentId' | 'sessionKey' | 'sessionId' | 'harness' | 'capturedAt'
>
type ManifestLinks = Partial<
  Pick<Manifest, 'project' | 'endedAt' | 'summaryPath' | 'compactionPath' | 'transcriptPath'>
>

const attempts = 20

/** Creates or updates a session's manifest. A change increments its revision. */
export async function saveManifest(
  { host }: Pick<TranscriptsNeeds, 'host'>,
  db: Db,
  { identity, links }: { readonly identity: ManifestIdentity; readonly links: ManifestLinks },
): Promise<Manifest> {
  const sessionToken = sessionTokenOf(identity)
  const updatedAt = host.now().toISOString()
  for (let attempt = 0; attempt < attempts; attempt++) {
    const stored = await findManifest(db, { agentId: identity.agentId, sessionToken })
    const newLinks = withStoredProject(stored, links)
    const isChanged = !stored || !isUpToDate(stored, newLinks)
    if (stored && !isChanged) return stored
    const manifest: Manifest = stored
      ? { ...stored, ...newLinks, revision: stored.revision + 1, updatedAt }
      : { ...newManifest(identity, sessionToken), ...newLinks, updatedAt }
    if (!(await (stored ? updateManifest : insertManifest)(db, manifest))) continue
    await upsertArtifact(db, manifestArtifact(manifest))
    return manifest
  }
  throw new Refusal('unavailable', 'database_busy', 'Concurrent update of this manifest; retry.')
}

/** A stored project is never overwritten. */
function withStoredProject(
  storedManifest: Manifest | undefined,
  links: ManifestLinks,
): ManifestLinks {
  return storedManifest?.project ? { ...links, project: storedManifest.project } : links
}

/** The stored path of a session's manifest, or the path of a new one. */
export async function findManifestPath(
  db: Db,
  { agentId, sessionToken, capturedAt }: Pick<Manifest, 'agentId' | 'sessionToken' | 'capturedAt'>,
): Promise<string> {
  const stored = await findManifest(db, { agentId, sessionToken })
  return stored?.path ?? artifactPath({ capturedAt, sessionToken, kind: 'manifest' })
}

function isUpToDate(storedManifest: Manifest, links: ManifestLinks): boolean {
  return isDeepStrictEqual({ ...storedManifest, ...links }, storedManifest)
}

function newManifest(
  identity: ManifestIdentity,
  sessionToken: string,
): Omit<Manifest, 'updatedAt'> {
  const { agentId, sessionKey, sessionId, harness, capturedAt } = identity
  return {
    agentId,
    sessionKey,
    sessionId,
    harness,
    capturedAt,
    sessionToken,
    path: artifactPath({ capturedAt, sessionToken, kind: 'manifest' }),
    startedAt: capturedAt,
    project: null,
    endedAt: null,
    summaryPath: null,
    compactionPath: null,
    transcriptPath: null,
    memoryMdRefs: [],
    revision: 1,
  }
}

/** Writes the file from the current row, under the file's lock. */
export async function writeManifest(
  { db, folder, locks }: Pick<TranscriptsNeeds, 'db' | 'folder' | 'locks'>,
  { agentId, sessionToken, path }: Manifest,
): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await locks.withLock(file, async () => {
    const manifest = await findManifest(db, { agentId, sessionToken })
    if (manifest) await replaceFile(file, renderArtifact(fieldsOf(manifest), bodyOf(manifest)))
  })
}

function fieldsOf(manifest: Manifest): Field[] {
  return [
    ['kind', 'manifest'],
    ['agent_id', manifest.agentId],
    ['session_id', manifest.sessionId],
    ['session_key', manifest.sessionKey],
    ['project', manifest.project],
    ['harness', manifest.harness],
    ['captured_at', manifest.capturedAt],
    ['started_at', manifest.startedAt],
    ['ended_at', manifest.endedAt],
    ['summary_path', manifest.summaryPath],
    ['compaction_path', manifest.compactionPath],
    ['transcript_path', manifest.transcriptPath],
    ['memory_md_refs', manifest.memoryMdRefs],
    ['revision', manifest.revision],
    ['updated_at', manifest.updatedAt],
    ['content_sha256', hashBody(bodyOf(manifest))],
    ['hash_scope', hashScope],
  ]
}

function bodyOf({ harness, transcriptPath, summaryPath, compactionPath }: Manifest): string {
  const links = [
    ['Transcript', transcriptPath],
    ['Summary', summaryPath],
    ['Compaction', compactionPath],
  ].flatMap(([name, path]) => (path ? [`- ${name}: ${path}`] : []))
  return [`# A session of ${harness}`, '', ...links].join('\n')
}

function manifestArtifact(manifest: Manifest) {
  const { agentId, sessionId, sessionKey, sessionToken, project, harness } = manifest
  const { capturedAt, startedAt, endedAt, path, updatedAt } = manifest
  const content = bodyOf(manifest)
  return {
    agentId,
    sessionId,
    sessionKey,
    sessionToken,
    project,
    harness,
    capturedAt,
    startedAt,
    endedAt,
    updatedAt,
    content,
    sourcePath: path,
    sourceSha256: hashBody(content),
    sourceKind: 'manifest' as const,
    manifestPath: path,
    sourceNodeId: null,
    memorySentence: null,
    memorySentenceQuality: null,
  }
}

interface Citation {
  readonly agentId: string
  readonly sessionTokens: readonly string[]
  /** The citing file, relative to the workspace. */
  readonly path: string
}

/** Records the citation in the manifests of these sessions. Existing citations do not change. */
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
  storedManifest: Manifest,
  path: string,
): Promise<Manifest | undefined> {
  const manifest = {
    ...storedManifest,
    memoryMdRefs: [...storedManifest.memoryMdRefs, path],
    revision: storedManifest.revision + 1,
    updatedAt: host.now().toISOString(),
  }
  return transaction(db, async (db) => {
    if (!(await updateManifest(db, manifest))) return undefined
    await upsertArtifact(db, manifestArtifact(manifest))
    return manifest
  })
}
