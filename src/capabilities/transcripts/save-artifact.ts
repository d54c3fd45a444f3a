import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { readIfExists } from '../../kernel/files/optional-files.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import {
  type Artifact,
  artifactPath,
  type Field,
  hashBody,
  hashScope,
  type Manifest,
  normalizeBody,
  renderArtifact,
} from './artifact.ts'
import { findManifestPath, saveManifest, writeManifest } from './manifest.ts'
import { findMemorySentence } from './memory-sentence.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import { countAllTurns } from './read.ts'
import { findArtifact, upsertArtifact } from './store/artifacts.ts'
import { sessionTokenOf } from './transcript.ts'

/** An immutable text about a session. */
export interface NewArtifact {
  readonly kind: 'summary' | 'compaction'
  readonly agentId: string
  /** Null for a text without a session, which `sourceNodeId` identifies. */
  readonly sessionKey: string | null
  readonly sessionId?: string | undefined
  readonly harness: string
  readonly project?: string | undefined
  /** ISO. */
  readonly capturedAt: string
  readonly sourceNodeId?: string | undefined
  readonly body: CleanText
}

/** Writes the file, its row and the session's manifest. Refuses different text with `artifact_exists`. */
export async function saveArtifact(
  needs: TranscriptsRuntime,
  input: NewArtifact,
): Promise<Artifact> {
  const { db, folder, locks, host } = needs
  const body = normalizeBody(input.body)
  const resolved = { ...input, sessionId: input.sessionId ?? null, project: input.project ?? null }
  const { agentId, sessionKey } = input
  const hasNoSession = sessionKey === null
  const turns = hasNoSession ? 0 : await countAllTurns(db, { agentId, sessionKey })
  const artifact = toArtifact(resolved, { body, turns, updatedAt: host.now().toISOString() })
  const manifestPath = hasNoSession ? null : await findManifestPath(db, artifact)
  const linked = { ...artifact, manifestPath }
  const file = join(folder, linked.sourcePath)
  await mkdir(dirname(file), { recursive: true })
  await locks.withLock(file, async () => {
    const stored = await findArtifact(db, linked)
    if ((stored ?? linked).sourceSha256 !== linked.sourceSha256) throw artifactExists(linked)
    const text = renderArtifact(fieldsOf(linked), body)
    const existing = await readIfExists(file)
    if (existing === undefined) await replaceFile(file, text)
    else if (!existing.endsWith(`---\n\n${body}`)) throw artifactExists(linked)
  })
  const manifest = await transaction(db, (db) => saveRows(needs, db, linked))
  if (manifest) await writeManifest(needs, manifest)
  return linked
}

type ResolvedArtifact = Omit<NewArtifact, 'sessionId' | 'project'> & {
  readonly sessionId: string | null
  readonly project: string | null
}

interface ArtifactBody {
  readonly body: string
  /** Turns of the session. */
  readonly turns: number
  readonly updatedAt: string
}

function toArtifact(input: ResolvedArtifact, { body, turns, updatedAt }: ArtifactBody): Artifact {
  const { agentId, sessionKey, sessionId, project, harness, capturedAt, kind } = input
  const sessionToken = sessionTokenOf({
    agentId,
    sessionId,
    sessionKey: sessionKey ?? input.sourceNodeId ?? '',
  })
  const sentence = findMemorySentence([{ role: 'assistant', text: body }], {
    project,
    harness,
    capturedAt,
    turns,
  })
  return {
    agentId,
    sessionKey,
    sessionId,
    sessionToken,
    project,
    harness,
    capturedAt,
    updatedAt,
    sourcePath: artifactPath({ capturedAt, sessionToken, kind }),
    sourceSha256: hashBody(body),
    sourceKind: kind,
    startedAt: null,
    endedAt: null,
    content: body,
    manifestPath: null,
    sourceNodeId: input.sourceNodeId ?? null,
    memorySentence: sentence.text,
    memorySentenceQuality: sentence.quality,
  }
}

async function saveRows(
  needs: TranscriptsNeeds,
  db: Db,
  artifact: Artifact,
): Promise<Manifest | undefined> {
  const { agentId, sessionId, sessionKey, capturedAt, sourcePath, sourceKind, project } = artifact
  if (sessionKey === null) {
    await upsertArtifact(db, artifact)
    return undefined
  }
  const linked =
    sourceKind === 'summary' ? { summaryPath: sourcePath } : { compactionPath: sourcePath }
  const manifest = await saveManifest(needs, db, {
    identity: { agentId, sessionId, capturedAt, sessionKey, harness: artifact.harness ?? '' },
    links: project === null ? linked : { ...linked, project },
  })
  await upsertArtifact(db, { ...artifact, manifestPath: manifest.path })
  return manifest
}

function fieldsOf(artifact: Artifact): Field[] {
  return [
    ['kind', artifact.sourceKind],
    ['agent_id', artifact.agentId],
    ['session_id', artifact.sessionId],
    ['session_key', artifact.sessionKey],
    ['project', artifact.project],
    ['harness', artifact.harness],
    ['captured_at', artifact.capturedAt],
    ['started_at', artifact.startedAt],
    ['ended_at', artifact.endedAt],
    ['manifest_path', artifact.manifestPath],
    ['source_node_id', artifact.sourceNodeId],
    ['content_sha256', artifact.sourceSha256],
    ['hash_scope', hashScope],
    ['memory_sentence', artifact.memorySentence],
    ['memory_sentence_version', 'memory_sentence_v1'],
    ['memory_sentence_quality', artifact.memorySentenceQuality],
    ['memory_sentence_generated_at', artifact.updatedAt],
  ]
}

function artifactExists({ sourcePath }: Artifact): Refusal {
  return new Refusal('conflict', 'artifact_exists', `${sourcePath} exists with different content.`)
}
