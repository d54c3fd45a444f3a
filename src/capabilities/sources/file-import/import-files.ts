import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { ImportedContent } from '../../extraction/index.ts'
import type { SourceDeletion } from '../deletion/delete-source.ts'
import { type PurgeNeeds, purgeSource } from '../deletion/purge.ts'
import type { SourceItem } from '../kinds/kind.ts'
import type { SourcesOptions } from '../needs.ts'
import type { Registry } from '../registry/registry.ts'
import { batchItems, indexBatch, indexItem } from '../runs/index-item.ts'
import { ownerOf, type SourceEntry } from '../source.ts'
import { countChunks } from '../store/chunks.ts'
import {
  type ExtractionCounts,
  noExtraction,
  readExtraction,
  saveExtraction,
  toExtraction,
  toImportPath,
} from './extraction-counts.ts'
import {
  type DuplicateMode,
  maxFileBytes,
  type ReceivedForm,
  type WaitingFile,
} from './receive-files.ts'

export interface FileImportNeeds
  extends PurgeNeeds,
    Pick<SourcesOptions, 'log' | 'extractor' | 'config'> {
  readonly registry: Registry
  readonly deletion: Pick<SourceDeletion, 'delete' | 'isDeleting' | 'isDeleted'>
}

/** Bytes of all contents of a batch. */
const maxBatchBytes = 104_857_600

type FileResult =
  | {
      readonly fileName: string
      readonly status: 'imported' | 'duplicate'
      readonly sourceId: string
      readonly format?: string
      readonly duplicate: boolean
      readonly extraction: ExtractionCounts
    }
  | { readonly fileName: string; readonly status: 'failed'; readonly error: string }

interface Batch {
  readonly agentId: string
  readonly duplicateMode: DuplicateMode
  bytes: number
}

/** Imports the files of a form, one after another: each becomes a source, or fails by itself. */
export async function importFiles(
  needs: FileImportNeeds,
  { agentId }: Caller,
  { files, duplicateMode }: ReceivedForm,
) {
  const batch: Batch = { agentId, duplicateMode, bytes: 0 }
  const results: FileResult[] = []
  for (const file of files) results.push(await importOrFail(needs, batch, file))
  const count = (status: FileResult['status']) =>
    results.filter((result) => result.status === status).length
  return { imported: count('imported'), failed: count('failed'), files: results }
}

/** Why one file is not imported, for the user. */
class FileProblem extends Error {}

async function importOrFail(
  needs: FileImportNeeds,
  batch: Batch,
  file: WaitingFile,
): Promise<FileResult> {
  const { fileName } = file
  try {
    return await importFile(needs, batch, file)
  } catch (error) {
    if (error instanceof FileProblem) return { fileName, status: 'failed', error: error.message }
    needs.log.error({ err: error }, 'file import failed')
    const reason = 'The file was not stored. The log of the service has the cause.'
    return { fileName, status: 'failed', error: reason }
  }
}

async function importFile(
  needs: FileImportNeeds,
  batch: Batch,
  file: WaitingFile,
): Promise<FileResult> {
  const { fileName } = file
  if (fileName === '') throw new FileProblem('The file has no name.')
  if (file.problem !== undefined) throw new FileProblem(file.problem)
  const content = await readContent(needs, file)
  batch.bytes += content.size
  if (batch.bytes > maxBatchBytes)
    throw new FileProblem('The texts of all files have more than 100 MiB. Import fewer at once.')
  const { contentHash, format } = content
  const known = await listKnown(needs, batch.agentId, contentHash)
  const complete = known.find(({ lastIndexedAt }) => lastIndexedAt !== undefined)
  if (complete && batch.duplicateMode === 'skip') {
    const { id: sourceId } = complete
    const extraction = (await readExtraction(needs.db, complete)) ?? noExtraction
    return { fileName, status: 'duplicate', sourceId, duplicate: true, extraction }
  }
  const started = known.find(({ lastIndexedAt }) => lastIndexedAt === undefined)
  const source = await saveSource(needs, batch, {
    fileName,
    contentHash,
    format,
    started,
    isSecond: complete !== undefined,
  })
  const extraction = await indexContent(needs, source, content)
  if (batch.duplicateMode === 'replace')
    for (const old of known)
      if (old.id !== source.id) await needs.deletion.delete(batch.agentId, old.id, 'replaced')
  const duplicate = known.length > 0
  return { fileName, status: 'imported', sourceId: source.id, format, duplicate, extraction }
}

async function readContent(
  { extractor }: Pick<FileImportNeeds, 'extractor'>,
  { path, fileName, contentType }: WaitingFile,
): Promise<ImportedContent> {
  const bytes = await readBytes(path)
  const read = await extractor.readImport({ bytes, fileName, contentType })
  if (read.status === 'failed') throw new FileProblem(`${read.reason}: ${read.message}`)
  return read
}

async function readBytes(path: string): Promise<Uint8Array> {
  let handle: FileHandle | undefined
  try {
    // A pipe would never open.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const state = await handle.stat()
    if (!state.isFile()) throw new FileProblem('The path is no file.')
    if (state.size > maxFileBytes) throw new FileProblem('The file has more than 25 MiB.')
    if (state.size === 0) throw new FileProblem('empty: The file is empty.')
    const bytes = await handle.readFile()
    if (bytes.length > maxFileBytes) throw new FileProblem('The file has more than 25 MiB.')
    return Uint8Array.from(bytes)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENXIO'].some((code) => hasCode(error, code)))
      throw new FileProblem('The file does not exist.')
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
      throw new FileProblem('The user of the service may not read the file.')
    throw error
  } finally {
    await handle?.close()
  }
}

/** The imports of the agent with this content. */
async function listKnown(
  { registry, deletion }: FileImportNeeds,
  agentId: string,
  contentHash: string,
): Promise<readonly SourceEntry[]> {
  const own = (await registry.list()).filter(
    (source) =>
      source.kind === 'import' &&
      ownerOf(source) === agentId &&
      source.providerSettings['contentHash'] === contentHash,
  )
  const live = await Promise.all(
    own.map(async (source) => ((await deletion.isDeleted(source)) ? [] : [source])),
  )
  return live.flat()
}

interface NewImport {
  readonly fileName: string
  readonly contentHash: string
  readonly format: string
  /** A daemon that ended left this one without its rows. */
  readonly started: SourceEntry | undefined
  readonly isSecond: boolean
}

async function saveSource(
  { registry, deletion, host }: FileImportNeeds,
  { agentId }: Batch,
  { fileName, contentHash, format, started, isSecond }: NewImport,
): Promise<SourceEntry> {
  const plain = `import:${contentHash.slice(0, 16)}`
  const isTaken = isSecond || (await deletion.isDeleting(plain))
  const id = started?.id ?? (isTaken ? `${plain}:${randomPart(host)}` : plain)
  const { source } = await registry.save({
    id,
    kind: 'import',
    name: fileName,
    root: fileName,
    excludeGlobs: [],
    providerSettings: { agentId, fileName, contentHash, format },
  })
  return source
}

function randomPart(host: Pick<Host, 'newId'>): string {
  return host.newId().replaceAll('-', '').slice(-8)
}

/** A failure removes the rows and the entry again. */
async function indexContent(
  needs: FileImportNeeds,
  source: SourceEntry,
  content: ImportedContent,
): Promise<ExtractionCounts> {
  try {
    if ((await countChunks(needs.db)) >= needs.config().maxChunks)
      throw new FileProblem('The sources have the maximum number of chunks: sources.maxChunks.')
    const extraction = await indexItems(needs, source, content)
    await needs.registry.update(source, { lastIndexedAt: needs.host.now().toISOString() })
    return extraction
  } catch (error) {
    await purgeSource(needs, { agentId: ownerOf(source), sourceId: source.id })
    await needs.registry.remove(source)
    throw error
  }
}

/** Saves the file and its views, and queues the source for Dreaming. */
async function indexItems(
  needs: FileImportNeeds,
  source: SourceEntry,
  content: ImportedContent,
): Promise<ExtractionCounts> {
  const [file, ...views] = toItems(source, content)
  const saved = file && (await indexItem(needs, source, file))
  const extraction = saved ? toExtraction(saved) : await readExtraction(needs.db, source)
  const importExtraction = extraction ?? noExtraction
  await saveExtraction(needs.db, source, { meta: content.meta, importExtraction })
  for (let at = 0; at < views.length; at += batchItems)
    await indexBatch(needs, source, views.slice(at, at + batchItems))
  await transaction(needs.db, (db) =>
    needs.attention.enqueue(db, {
      agentId: ownerOf(source),
      kind: 'hygiene',
      subjectRef: `source:${source.id}`,
      details: { sourceId: source.id, sourceKind: source.kind, reason: 'import-completed' },
      priority: 40,
    }),
  )
  return importExtraction
}

/** The file, and its views. The rows of a table stand in its parts. */
function* toItems(source: SourceEntry, content: ImportedContent): Generator<SourceItem> {
  const { format, parts, contentHash: externalId } = content
  const path = toImportPath(source)
  const title = content.title ?? source.name
  yield {
    path,
    title,
    externalId,
    type: format === 'json' ? 'json_projection' : format,
    content: content.content,
    meta: content.meta,
    isSearchable: !parts.some(({ kind }) => kind === 'csv_chunk'),
  }
  for (const part of parts)
    yield {
      path: `${path}${part.fragment}`,
      parentPath: path,
      title: part.kind === 'csv_chunk' ? `${title} ${part.fragment.slice(1)}` : title,
      externalId,
      type: part.kind,
      content: part.content,
      meta: part.meta,
      isSearchable: part.kind === 'csv_chunk',
    }
}
