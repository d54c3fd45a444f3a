import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import { type Extractor, noteBounds, type TextChunk } from '../../extraction/index.ts'
import type { SourceCounts, SourceRows } from '../../knowledge/index.ts'
import { forgetArtifacts } from '../evidence-source.ts'
import type { SourceItem } from '../kinds/kind.ts'
import type { SourcesOptions } from '../needs.ts'
import { hashOf, ownerOf, type SourceEntry, toKindToken } from '../source.ts'
import {
  type ArtifactKey,
  type ArtifactState,
  deleteArtifact,
  findArtifactStates,
  upsertArtifacts,
} from '../store/artifacts.ts'
import { listStoredChunks, purgeChunks, updateLines, upsertChunks } from '../store/chunks.ts'
import type { ArtifactRow, ChunkRow } from '../store/rows.ts'
import { toGraphRows } from './graph-rows.ts'

export type IndexNeeds = Pick<SourcesOptions, 'db' | 'host' | 'engine' | 'extractor' | 'graph'>

type NewChunk = Omit<ChunkRow, 'revision'>

const noChunks = { chunks: [] }

/** Items of one transaction. Each commit writes pages of many indexes, so larger ones write less. */
export const batchItems = 64

/**
 * Saves an item with its rows in the graph, and the difference of its chunks. Returns undefined for
 * an unchanged item.
 */
export async function indexItem(
  needs: IndexNeeds,
  source: SourceEntry,
  item: SourceItem,
): Promise<SavedRows | undefined> {
  return (await indexBatch(needs, source, [item]))[0]
}

type SavedItems = readonly (SavedRows | undefined)[]

/** Saves items with different paths in one transaction with `saveMore`, each as `indexItem` does. */
export async function indexBatch(
  { db, host, engine, extractor, graph }: IndexNeeds,
  source: SourceEntry,
  items: readonly SourceItem[],
  saveMore?: (db: Db, saved: SavedItems) => Promise<void>,
): Promise<SavedItems> {
  const now = host.now().toISOString()
  const stored = await findArtifactStates(db, {
    agentId: ownerOf(source),
    sourceId: source.id,
    paths: items.map(({ path }) => path),
  })
  const changed: PreparedItem[] = []
  for (const sent of items) {
    // One item is a millisecond of work.
    await setImmediate()
    const artifact = toArtifact(source, await cleanItem(extractor, sent), now)
    const before = stored.get(artifact.sourcePath)
    if (before && isUnchanged(before, artifact)) continue
    const isSearchable = sent.isSearchable !== false
    changed.push(await prepareRow({ extractor }, source, { artifact, isSearchable }))
  }
  if (changed.length === 0 && !saveMore) return items.map(() => undefined)
  return transaction(db, async (db) => {
    const rows = changed.length > 0 ? await saveRows({ db, graph }, changed) : []
    const byPath = new Map(changed.map(({ artifact }, at) => [artifact.sourcePath, rows[at]]))
    const saved = items.map(({ path }) => byPath.get(path))
    await saveMore?.(db, saved)
    afterCommit(db, () => engine.changed())
    return saved
  })
}

/** An artifact with its chunks, before they are saved. */
export interface PreparedItem {
  readonly artifact: ArtifactRow
  readonly chunks: readonly NewChunk[]
  readonly rows: SourceRows | undefined
}

/** The entity of an item in the graph, with the numbers of its rows. */
export interface SavedRows {
  readonly documentEntityId: string | null
  readonly counts: SourceCounts
}

const noCounts: SourceCounts = { entities: 0, aspects: 0, attributes: 0, dependencies: 0 }

export async function prepareRow(
  { extractor }: Pick<IndexNeeds, 'extractor'>,
  source: SourceEntry,
  { artifact, isSearchable }: { readonly artifact: ArtifactRow; readonly isSearchable: boolean },
): Promise<PreparedItem> {
  const { chunks } = isSearchable ? await extractor.chunk(artifact.content, noteBounds) : noChunks
  return {
    artifact,
    chunks: chunks.map((part) => toChunk(source, artifact, part)),
    rows: await toGraphRows({ extractor }, source, artifact),
  }
}

/** Saves artifacts of one source with their rows and chunks, in the transaction of `db`. */
export async function saveRows(
  { db, graph }: Pick<IndexNeeds, 'db' | 'graph'>,
  items: readonly PreparedItem[],
): Promise<readonly SavedRows[]> {
  const artifacts = items.map(({ artifact }) => artifact)
  const documents = items.flatMap(({ artifact, rows }) => {
    const { agentId, sourceId, generation, sourcePath: path } = artifact
    return rows ? [{ agentId, sourceId, path, generation, rows }] : []
  })
  const work = [upsertArtifacts(db, artifacts), replaceChunks(db, items)]
  const replacing = graph.replacePaths(db, documents)
  // The transaction may end only after the last statement of each.
  await Promise.allSettled([...work, replacing])
  await Promise.all(work)
  const counts = await replacing
  const saved = new Map(
    documents.map((document, at) => [
      document.path,
      { documentEntityId: graph.documentId(document), counts: counts[at] ?? noCounts },
    ]),
  )
  return items.map(
    ({ artifact }) =>
      saved.get(artifact.sourcePath) ?? { documentEntityId: null, counts: noCounts },
  )
}

export type RemoveNeeds = Pick<
  SourcesOptions,
  'db' | 'host' | 'engine' | 'graph' | 'evidenceDependants'
>

/** Removes an item with its chunks, their vectors, its rows in the graph and what cites it. */
export async function removeItem(needs: RemoveNeeds, key: ArtifactKey): Promise<void> {
  await transaction(needs.db, async (db) => {
    await removeRow({ ...needs, db }, key)
    afterCommit(db, () => needs.engine.changed())
  })
}

/** As `removeItem`, in the transaction of `db`. */
export async function removeRow(needs: RemoveNeeds, key: ArtifactKey): Promise<void> {
  const { db, host, graph } = needs
  const { agentId, sourceId, sourcePath: path } = key
  const stored = await listStoredChunks(db, { agentId, sourceId, paths: [path] })
  const ids = stored.map(({ id }) => id)
  await purgeChunks(db, ids, host.now().toISOString())
  await deleteArtifact(db, key)
  await graph.removePath(db, { agentId, sourceId, path })
  await forgetArtifacts(needs, db, { agentId, paths: [path] })
}

async function replaceChunks(db: Db, items: readonly PreparedItem[]): Promise<void> {
  const [first] = items
  if (!first) return
  const { agentId, sourceId, updatedAt } = first.artifact
  const paths = items.map(({ artifact }) => artifact.sourcePath)
  const stored = new Map(
    (await listStoredChunks(db, { agentId, sourceId, paths })).map((one) => [one.id, one]),
  )
  const chunks = items.flatMap((item) => item.chunks)
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
  await updateLines(db, moved)
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
