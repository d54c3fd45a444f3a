import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { hasCode } from '../../kernel/errors/has-code.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import { type Artifact, type Manifest, pathOfArtifact } from './artifact.ts'
import { countAllTurns } from './count-turns.ts'
import {
  type Field,
  hashBody,
  hashScope,
  normalizeBody,
  renderArtifact,
} from './files/front-matter.ts'
import { findManifestPath, keepManifest, writeManifest } from './manifest.ts'
import { findMemorySentence } from './memory-sentence.ts'
import type { TranscriptsNeeds, TranscriptsRuntime } from './needs.ts'
import { findArtifact, upsertArtifact } from './store/artifacts.ts'
import { sessionTokenOf } from './transcript.ts'

/** A text about a session that is written once and never changed. */
export interface NewArtifact {
  readonly kind: 'summary' | 'compaction'
  readonly agentId: string
  /** Null for a text of no session: it is known by its node. */
  readonly sessionKey: string | null
  readonly sessionId?: string | undefined
  readonly harness: string
  readonly project?: string | undefined
  /** ISO. */
  readonly capturedAt: string
  readonly sourceNodeId?: string | undefined
  readonly body: CleanText
}

/** Writes the file, then its row and the session's manifest. Refuses `artifact_exists` when another text is there. */
export async function keepArtifact(
  needs: TranscriptsRuntime,
  given: NewArtifact,
): Promise<Artifact> {
  const { db, folder, locks, host } = needs
  const body = normalizeBody(given.body)
  const named = { ...given, sessionId: given.sessionId ?? null, project: given.project ?? null }
  const { agentId, sessionKey } = given
  const isAlone = sessionKey === null
  const turns = isAlone ? 0 : await countAllTurns(db, { agentId, sessionKey })
  const artifact = toArtifact(named, { body, turns, updatedAt: host.now().toISOString() })
  const manifestPath = isAlone ? null : await findManifestPath(db, artifact)
  const written = { ...artifact, manifestPath }
  const file = join(folder, written.sourcePath)
  await mkdir(dirname(file), { recursive: true })
  await locks.withLock(file, async () => {
    const before = await findArtifact(db, written)
    if ((before ?? written).sourceSha256 !== written.sourceSha256) throw exists(written)
    const text = renderArtifact(fieldsOf(written), body)
    const there = await readIfThere(file)
    if (there === undefined) await replaceFile(file, text)
    else if (!there.endsWith(`---\n\n${body}`)) throw exists(written)
  })
  const manifest = await transaction(db, (db) => record(needs, db, written))
  if (manifest) await writeManifest(needs, manifest)
  return written
}

type Named = Omit<NewArtifact, 'sessionId' | 'project'> & {
  readonly sessionId: string | null
  readonly project: string | null
}

interface Text {
  readonly body: string
  /** Of its session. */
  readonly turns: number
  readonly updatedAt: string
}

function toArtifact(given: Named, { body, turns, updatedAt }: Text): Artifact {
  const { agentId, sessionKey, sessionId, project, harness, capturedAt, kind } = given
  const sessionToken = sessionTokenOf({
    ...{ agentId, sessionId, sessionKey: sessionKey ?? given.sourceNodeId ?? '' },
  })
  const sentence = findMemorySentence([{ role: 'assistant', text: body }], {
    ...{ project, harness, capturedAt, turns },
  })
  return {
    ...{ agentId, sessionKey, sessionId, sessionToken, project, harness, capturedAt, updatedAt },
    sourcePath: pathOfArtifact({ capturedAt, sessionToken, kind }),
    sourceSha256: hashBody(body),
    sourceKind: kind,
    ...{ startedAt: null, endedAt: null, content: body },
    manifestPath: null,
    sourceNodeId: given.sourceNodeId ?? null,
    memorySentence: sentence.text,
    memorySentenceQuality: sentence.quality,
  }
}

async function record(
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
  const manifest = await keepManifest(needs, db, {
    known: { agentId, sessionId, capturedAt, sessionKey, harness: artifact.harness ?? '' },
    linked: project === null ? linked : { ...linked, project },
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

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function exists({ sourcePath }: Artifact): Refusal {
  return new Refusal('conflict', 'artifact_exists', `Another text is kept as ${sourcePath}.`)
}
