import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { ImportedContent } from '../../extraction/index.ts'
import type { SourceDeletion } from '../deletion/delete-source.ts'
import { type PurgeNeeds, purgeSource } from '../deletion/purge.ts'
import type { SourceItem } from '../kinds/kind.ts'
import type { SourcesOptions } from '../needs.ts'
import type { Registry } from '../registry/registry.ts'
import { batchItems, indexBatch } from '../runs/index-item.ts'
import type { Pace } from '../runs/pace.ts'
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
import { FileProblem, findSize, readContent } from './read-file.ts'
import type { DuplicateMode, ReceivedForm, WaitingFile } from './receive-files.ts'

export interface FileImportNeeds
  extends PurgeNeeds,
    Pick<SourcesOptions, 'log' | 'extractor' | 'config'> {
  readonly registry: Registry
  readonly pace: Pace
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
  readonly runExclusive: KeyedMutex
  bytes: number
}

/** Files that are converted and stored at the same time. */
const concurrency = 8
/** One larger file at a time is in memory. */
const maxSmallBytes = 1_048_576

/** Imports the files of a form, some at the same time: each becomes a source, or fails by itself. */
export async function importFiles(
  needs: FileImportNeeds,
  { agentId }: Caller,
  { files, duplicateMode }: ReceivedForm,
) {
  const batch: Batch = { agentId, duplicateMode, runExclusive: createKeyedMutex(), bytes: 0 }
  const results: FileResult[] = []
  const waiting = files.entries()
  const importWaiting = async () => {
    for (const [at, file] of waiting) results[at] = await importOrFail(needs, batch, file)
  }
  await Promise.all(Array.from({ length: concurrency }, importWaiting))
  const count = (status: FileResult['status']) =>
    results.filter((result) => result.status === status).length
  return { imported: count('imported'), failed: count('failed'), files: results }
}

type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Runs work with the same key one after another. */
function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    last.set(
      key,
      result.catch(() => undefined),
    )
    return result
  }
}

async function importOrFail(
  needs: FileImportNeeds,
  batch: Batch,
  file: WaitingFile,
): Promise<FileResult> {
  const { fileName } = file
  try {
    const isSmall = file.problem !== undefined || (await findSize(file.path)) <= maxSmallBytes
    const run = () => importFile(needs, batch, file)
    return await (isSmall ? run() : batch.runExclusive('large', run))
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
  const storeExclusively = () =>
    batch.runExclusive(content.contentHash, () => store(needs, batch, { fileName, content }))
  return needs.pace.run(storeExclusively)
}

interface ReadFile {
  readonly fileName: string
  readonly content: ImportedContent
}

/** Equal files are stored one after another, so that the second finds the first. */
async function store(
  needs: FileImportNeeds,
  batch: Batch,
  { fileName, content }: ReadFile,
): Promise<FileResult> {
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

/** Saves the views and the file. The last transaction queues the source for Dreaming. */
async function indexItems(
  needs: FileImportNeeds,
  source: SourceEntry,
  content: ImportedContent,
): Promise<ExtractionCounts> {
  const [file, ...views] = toItems(source, content)
  const last = [...(file ? [file] : []), ...views.slice(0, batchItems - 1)]
  for (let at = last.length - 1; at < views.length; at += batchItems)
    await indexBatch(needs, source, views.slice(at, at + batchItems))
  let importExtraction = noExtraction
  await indexBatch(needs, source, last, async (db, [saved]) => {
    const extraction = saved ? toExtraction(saved) : await readExtraction(db, source)
    importExtraction = extraction ?? noExtraction
    await saveExtraction(db, source, { meta: content.meta, importExtraction })
    await needs.attention.enqueue(db, {
      agentId: ownerOf(source),
      kind: 'hygiene',
      subjectRef: `source:${source.id}`,
      details: { sourceId: source.id, sourceKind: source.kind, reason: 'import-completed' },
      priority: 40,
    })
  })
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
