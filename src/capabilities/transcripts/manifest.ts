import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { type Manifest, pathOfArtifact } from './artifact.ts'
import { type Field, hashBody, hashScope, renderArtifact } from './files/front-matter.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { findManifest, insertManifest, updateManifest, upsertArtifact } from './store/artifacts.ts'
import { sessionTokenOf } from './transcript.ts'

type Described = Pick<Manifest, 'agentId' | 'sessionKey' | 'sessionId' | 'harness' | 'capturedAt'>
type Linked = Partial<
  Pick<Manifest, 'project' | 'endedAt' | 'summaryPath' | 'compactionPath' | 'transcriptPath'>
>

const attempts = 20

/** Brings the manifest of a session to what is known; a change raises its revision by one. */
export async function keepManifest(
  { host }: Pick<TranscriptsNeeds, 'host'>,
  db: Db,
  { known, linked }: { readonly known: Described; readonly linked: Linked },
): Promise<Manifest> {
  const sessionToken = sessionTokenOf(known)
  const updatedAt = host.now().toISOString()
  for (let attempt = 0; attempt < attempts; attempt++) {
    const stored = await findManifest(db, { agentId: known.agentId, sessionToken })
    const links = withStoredProject(stored, linked)
    const isNews = !stored || !tells(stored, links)
    if (stored && !isNews) return stored
    const manifest: Manifest = stored
      ? { ...stored, ...links, revision: stored.revision + 1, updatedAt }
      : { ...newManifest(known, sessionToken), ...links, updatedAt }
    if (!(await (stored ? updateManifest : insertManifest)(db, manifest))) continue
    await upsertArtifact(db, manifestArtifact(manifest))
    return manifest
  }
  throw new Refusal('unavailable', 'database_busy', 'The manifest is written by many at once.')
}

/** A stored project is never overwritten. */
function withStoredProject(stored: Manifest | undefined, linked: Linked): Linked {
  return stored?.project ? { ...linked, project: stored.project } : linked
}

/** Where the manifest of a session is, or will be for whoever writes of it first. */
export async function findManifestPath(
  db: Db,
  { agentId, sessionToken, capturedAt }: Pick<Manifest, 'agentId' | 'sessionToken' | 'capturedAt'>,
): Promise<string> {
  const stored = await findManifest(db, { agentId, sessionToken })
  return stored?.path ?? pathOfArtifact({ capturedAt, sessionToken, kind: 'manifest' })
}

function tells(stored: Manifest, linked: Linked): boolean {
  return isDeepStrictEqual({ ...stored, ...linked }, stored)
}

function newManifest(known: Described, sessionToken: string): Omit<Manifest, 'updatedAt'> {
  const { agentId, sessionKey, sessionId, harness, capturedAt } = known
  return {
    ...{ agentId, sessionKey, sessionId, harness, capturedAt, sessionToken },
    path: pathOfArtifact({ capturedAt, sessionToken, kind: 'manifest' }),
    startedAt: capturedAt,
    ...{ project: null, endedAt: null, summaryPath: null, compactionPath: null },
    ...{ transcriptPath: null, memoryMdRefs: [], revision: 1 },
  }
}

/** Whatever its row says when its turn has come. */
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

export function manifestArtifact(manifest: Manifest) {
  const { agentId, sessionId, sessionKey, sessionToken, project, harness } = manifest
  const { capturedAt, startedAt, endedAt, path, updatedAt } = manifest
  const content = bodyOf(manifest)
  return {
    ...{ agentId, sessionId, sessionKey, sessionToken, project, harness },
    ...{ capturedAt, startedAt, endedAt, updatedAt, content },
    sourcePath: path,
    sourceSha256: hashBody(content),
    sourceKind: 'manifest' as const,
    manifestPath: path,
    ...{ sourceNodeId: null, memorySentence: null, memorySentenceQuality: null },
  }
}
