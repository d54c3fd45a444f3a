import type { Db } from '../../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import { type Extractor, noteBounds, type TextChunk } from '../../extraction/index.ts'
import type { SourceItem } from '../kinds/kind.ts'
import type { SourcesOptions } from '../needs.ts'
import { hashOf, ownerOf, type SourceEntry, toKindToken } from '../source.ts'
import {
  type ArtifactKey,
  type ArtifactState,
  deleteArtifact,
  findArtifactState,
  upsertArtifact,
} from '../store/artifacts.ts'
import { listStoredChunks, purgeChunks, updateLines, upsertChunks } from '../store/chunks.ts'
import type { ArtifactRow, ChunkRow } from '../store/rows.ts'

export type IndexNeeds = Pick<SourcesOptions, 'db' | 'host' | 'engine' | 'extractor'>

type NewChunk = Omit<ChunkRow, 'revision'>

const noChunks = { chunks: [] }

/** Saves an item and the difference of its chunks. Returns false for an unchanged item. */
export async function indexItem(
  { db, host, engine, extractor }: IndexNeeds,
  source: SourceEntry,
  sent: SourceItem,
): Promise<boolean> {
  const item = await cleanItem(extractor, sent)
  const artifact = toArtifact(source, item, host.now().toISOString())
  const stored = await findArtifactState(db, artifact)
  if (stored && isUnchanged(stored, artifact)) return false
  const isSearchable = item.isSearchable !== false
  const prepared = await prepareRow({ extractor }, source, { artifact, isSearchable })
  await transaction(db, async (db) => {
    await saveRow(db, prepared)
    afterCommit(db, () => engine.changed())
  })
  return true
}

/** An artifact with its chunks, before they are saved. */
export interface PreparedItem {
  readonly artifact: ArtifactRow
  readonly chunks: readonly NewChunk[]
}

export async function prepareRow(
  { extractor }: Pick<IndexNeeds, 'extractor'>,
  source: SourceEntry,
  { artifact, isSearchable }: { readonly artifact: ArtifactRow; readonly isSearchable: boolean },
): Promise<PreparedItem> {
  const { chunks } = isSearchable ? await extractor.chunk(artifact.content, noteBounds) : noChunks
  return { artifact, chunks: chunks.map((part) => toChunk(source, artifact, part)) }
}

/** Saves an artifact and the difference of its chunks, in the transaction of `db`. */
export async function saveRow(db: Db, { artifact, chunks }: PreparedItem): Promise<void> {
  await upsertArtifact(db, artifact)
  await replaceChunks(db, artifact, chunks)
}

/** Removes an item with its chunks and their vectors. */
export async function removeItem(
  { db, host, engine }: Pick<IndexNeeds, 'db' | 'host' | 'engine'>,
  key: ArtifactKey,
): Promise<void> {
  await transaction(db, async (db) => {
    const stored = await listStoredChunks(db, key)
    await purgeChunks(
      db,
      stored.map(({ id }) => id),
      host.now().toISOString(),
    )
    await deleteArtifact(db, key)
    afterCommit(db, () => engine.changed())
  })
}

async function replaceChunks(
  db: Db,
  { agentId, sourceId, sourcePath, updatedAt }: ArtifactRow,
  chunks: readonly NewChunk[],
): Promise<void> {
  const stored = new Map(
    (await listStoredChunks(db, { agentId, sourceId, sourcePath })).map((one) => [one.id, one]),
  )
  const changed = chunks.filter(
    ({ id, contentHash }) => stored.get(id)?.contentHash !== contentHash,
  )
  const moved = chunks.filter(({ id, contentHash, lineFrom, lineTo }) => {
    const before = stored.get(id)
    const isEqual = before?.lineFrom === lineFrom && before.lineTo === lineTo
    return before?.contentHash === contentHash && !isEqual
  })
  const ids = new Set(chunks.map(({ id }) => id))
  const gone = [...stored.keys()].filter((id) => !ids.has(id))
  await purgeChunks(db, gone, updatedAt)
  await upsertChunks(db, changed)
  for (const chunk of moved) await updateLines(db, chunk)
}

/** Text of others is stored without credentials and private spans. */
async function cleanItem(
  extractor: Pick<Extractor, 'clean'>,
  item: SourceItem,
): Promise<SourceItem> {
  const content = normalizeText(await extractor.clean(item.content))
  const title = toCleanText(item.title).replaceAll(/\s+/g, ' ').trim()
  const meta = item.meta && redactContent(item.meta, 'redact').value
  const { revision } = item
  return {
    ...item,
    content,
    title,
    meta: revision === undefined ? meta : { ...meta, revision: hashOf(revision) },
  }
}

/** Line ends are LF; NUL and lone surrogates are removed. */
export function normalizeText(text: string): string {
  return `${text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed().trimEnd()}\n`
}

function toArtifact(source: SourceEntry, item: SourceItem, now: string): ArtifactRow {
  const { path, parentPath, type, title, content, externalId, mtimeMs, capturedAt, meta } = item
  const nothing = {
    sessionId: null,
    sessionKey: null,
    sessionToken: null,
    project: null,
    startedAt: null,
    endedAt: null,
    manifestPath: null,
    sourceNodeId: null,
    memorySentenceQuality: null,
    deletedAt: null,
  }
  return {
    ...nothing,
    agentId: ownerOf(source),
    sourceId: source.id,
    generation: source.generation,
    sourcePath: path,
    sourceSha256: hashOf(content),
    sourceKind: `source_${toKindToken(source.kind)}_${type}`,
    harness: source.kind === 'import' ? 'dashboard-import' : source.kind,
    capturedAt: capturedAt ?? now,
    updatedAt: now,
    memorySentence: title,
    content,
    sourceMtimeMs: mtimeMs ?? null,
    sourceRoot: source.root,
    sourceExternalId: externalId ?? null,
    sourceParentPath: parentPath ?? null,
    sourceMetaJson: meta ? JSON.stringify(meta) : null,
    isDeleted: 0,
  }
}

function isUnchanged(stored: ArtifactState, artifact: ArtifactRow): boolean {
  return (
    stored.sourceSha256 === artifact.sourceSha256 &&
    stored.sourceMetaJson === artifact.sourceMetaJson &&
    stored.sourceKind === artifact.sourceKind &&
    stored.memorySentence === artifact.memorySentence &&
    stored.sourceParentPath === artifact.sourceParentPath &&
    stored.generation === artifact.generation
  )
}

/** The type of the chunks of a source. */
function chunkTypeOf({ kind }: Pick<SourceEntry, 'kind'>): string {
  return kind === 'notes-vault' ? 'source_notes_vault_chunk' : 'source_chunk'
}

function toChunk(source: SourceEntry, artifact: ArtifactRow, part: TextChunk): NewChunk {
  const { agentId, sourcePath, memorySentence } = artifact
  const chunkId = `${source.id}:${sourcePath}#${part.slug}:${part.number}`
  const heading = toHeading(memorySentence ?? '', part)
  return {
    id: `sc_${hashOf(agentId, chunkId).slice(0, 32)}`,
    chunkId,
    agentId,
    sourceId: source.id,
    generation: source.generation,
    sourcePath,
    sourceType: chunkTypeOf(source),
    heading,
    lineFrom: part.lineFrom,
    lineTo: part.lineTo,
    text: part.text,
    contentHash: hashOf(agentId, chunkId, heading, part.text),
    wordsHash: hashOf(heading, part.text),
    createdAt: artifact.capturedAt,
  }
}

/** The first heading of many notes repeats their title. */
function toHeading(title: string, { headings }: TextChunk): string {
  const rest = headings[0]?.toLowerCase() === title.toLowerCase() ? headings.slice(1) : headings
  return [title, ...rest].filter((part) => part !== '').join(' / ')
}
