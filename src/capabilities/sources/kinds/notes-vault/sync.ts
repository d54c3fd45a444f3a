import { hasCode } from '../../../../kernel/errors/system-error.ts'
import type { Host } from '../../../../kernel/host/host.ts'
import type { RunResult } from '../../runs/job.ts'
import { hashOf } from '../../source.ts'
import { type ItemFailure, RunFailure, type SourceKind, type SyncContext } from '../kind.ts'
import { type Note, readNote, toNoteItem } from './read-note.ts'
import { createExcludes, isGone, listVault, type VaultFile, type VaultListing } from './scan.ts'

export interface StoredFile extends VaultFile {
  readonly sha256: string
}

/** The state of each file when it was indexed. */
export interface Manifest {
  list(source: SyncContext['source']): Promise<ReadonlyMap<string, StoredFile>>
  save(source: SyncContext['source'], files: readonly StoredFile[]): Promise<void>
  remove(source: SyncContext['source'], path: string): Promise<void>
}

interface VaultNeeds {
  readonly host: Host
  readonly manifest: Manifest
}

const maxFileBytes = 5 * 1024 * 1024
/** Notes between two reports of the progress. */
const reportInterval = 100
/** More missing files at once look like an unmounted folder. */
const minSuspicious = 20
const confirmAfterMs = 60_000

interface Missing {
  readonly digest: string
  readonly since: number
}

/** A folder of Markdown notes. */
export function createNotesVault(needs: VaultNeeds): SourceKind {
  return {
    kind: 'notes-vault',
    sync: async (context) => {
      const { source, assertActive } = context
      const isExcluded = createExcludes(source.root, source.excludeGlobs)
      const listing = await listRoot(source.root, () =>
        listVault(source.root, isExcluded, assertActive),
      )
      const stored = await needs.manifest.list(source)
      const paused = await readFiles(needs, context, { listing, stored })
      if (paused) return paused
      await reportUnreadable(context, listing)
      return removeMissing(needs, context, { listing, stored, isExcluded })
    },
  }
}

async function listRoot(root: string, list: () => Promise<VaultListing>): Promise<VaultListing> {
  try {
    return await list()
  } catch (error) {
    if (isGone(error))
      throw new RunFailure(`root_missing: the folder ${root} is not there. Nothing was deleted.`)
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
      throw new RunFailure(
        `permission_denied: the folder ${root} cannot be read. Nothing was deleted.`,
      )
    throw error
  }
}

interface Work {
  readonly listing: VaultListing
  readonly stored: ReadonlyMap<string, StoredFile>
}

/** Reads what changed, in batches. Returns the pause while no provider makes vectors. */
async function readFiles(
  needs: VaultNeeds,
  context: SyncContext,
  work: Work,
): Promise<RunResult | undefined> {
  const steps: Steps = { saving: Promise.resolve(), embedding: createEmbedding(context) }
  try {
    return await readInSteps(needs, context, { ...work, steps })
  } finally {
    // A run that ends early leaves no work behind.
    await Promise.allSettled([steps.saving, steps.embedding.settle()])
  }
}

/** What goes on while the next notes are read. */
interface Steps {
  saving: Promise<void>
  readonly embedding: Embedding
}

interface Embedding {
  /** Embeds what is saved, unless this is going on. Returns false if the provider was down. */
  start(): boolean
  /** Waits for its end, and throws its fault. Returns false if the provider was down. */
  settle(): Promise<boolean>
}

/**
 * Saved chunks wait in the database for their vectors, so that reading does not wait for a provider,
 * unless recalls are performed.
 */
function createEmbedding({ embed }: Pick<SyncContext, 'embed'>): Embedding {
  const state = { isRunning: false, isUp: true, result: Promise.resolve(true) }
  const embedSaved = async () => {
    state.isRunning = true
    try {
      state.isUp = await embed()
      return state.isUp
    } finally {
      state.isRunning = false
    }
  }
  return {
    start: () => {
      if (!state.isUp || state.isRunning) return state.isUp
      state.result = embedSaved()
      state.result.catch(() => undefined)
      return true
    },
    settle: () => state.result,
  }
}

async function readInSteps(
  needs: VaultNeeds,
  context: SyncContext,
  { listing: { files }, stored, steps }: Work & { readonly steps: Steps },
): Promise<RunResult | undefined> {
  let scanned = 0
  const waiting: FileWork[] = []
  context.report({ total: files.length })
  for (const file of files) {
    context.assertActive()
    scanned += 1
    if (scanned % reportInterval === 0) context.report({ scanned })
    if (isUnchanged(file, stored.get(file.path))) context.retain(file.path)
    else waiting.push({ file, stored: stored.get(file.path) })
    if (!isFull(waiting, context.batchItems())) continue
    context.report({ scanned, currentPath: file.path })
    await saveNext(steps, () => readBatch(needs, context, waiting.splice(0)))
    if (!steps.embedding.start()) return toPause(file.path)
    if (context.isBusy() && !(await steps.embedding.settle())) return toPause(file.path)
  }
  await saveNext(steps, () => readBatch(needs, context, waiting))
  await steps.saving
  context.report({ scanned })
  const isEmbedded = (await steps.embedding.settle()) && (await context.embed())
  return isEmbedded ? undefined : toPause(null)
}

/** Starts to save a batch, and waits for the batch before it. */
async function saveNext(steps: Steps, save: () => Promise<void>): Promise<void> {
  const previous = steps.saving
  steps.saving = save()
  steps.saving.catch(() => undefined)
  await previous
}

const maxBatchBytes = 1_048_576

function isFull(files: readonly FileWork[], maxFiles: number): boolean {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return files.length >= maxFiles || bytes >= maxBatchBytes
}

function toPause(frontier: string | null): RunResult {
  return {
    status: 'paused',
    reason: 'provider_unavailable',
    message: 'The embedding provider does not answer. The run resumes by itself.',
    frontier,
  }
}

function isUnchanged(file: VaultFile, stored: StoredFile | undefined): boolean {
  return (
    stored?.size === file.size && stored.mtimeMs === file.mtimeMs && stored.inode === file.inode
  )
}

interface FileWork {
  readonly file: VaultFile
  readonly stored: StoredFile | undefined
}

/** Saves the files in order, those between two failures in one transaction. */
async function readBatch(
  { host, manifest }: VaultNeeds,
  context: SyncContext,
  files: readonly FileWork[],
): Promise<void> {
  const read = await Promise.all(files.map(({ file }) => readFile(host, file)))
  const notes: Note[] = []
  const save = async () => {
    const saved = notes.splice(0)
    if (saved.length > 0) await context.saveAll(saved.map(toNoteItem))
  }
  const states: StoredFile[] = []
  for (const [at, note] of read.entries()) {
    if (!note) continue
    if ('message' in note) {
      await save()
      await context.fail(note)
      continue
    }
    // Only the time or the inode changed.
    if (note.sha256 === files[at]?.stored?.sha256) context.retain(note.file.path)
    else notes.push(note)
    states.push({ ...note.file, sha256: note.sha256 })
  }
  await save()
  if (states.length > 0) await manifest.save(context.source, states)
}

/** Undefined for a file that is gone. */
async function readFile(host: Host, file: VaultFile): Promise<Note | ItemFailure | undefined> {
  const { path, size } = file
  if (size > maxFileBytes) {
    const message = `${path} has ${size} bytes. Notes may have 5 MiB. Divide the note.`
    return { path, message, recoverable: false }
  }
  try {
    return await readNote(host, file)
  } catch (error) {
    if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM') && !hasCode(error, 'EIO')) throw error
    return { path, message: `${path} cannot be read.`, recoverable: true }
  }
}

async function reportUnreadable(context: SyncContext, { unreadable }: VaultListing): Promise<void> {
  for (const path of unreadable)
    await context.fail({ path, message: `The folder ${path} cannot be read.`, recoverable: true })
}

/** Removes notes whose files are gone from a readable folder. */
async function removeMissing(
  { host, manifest }: VaultNeeds,
  context: SyncContext,
  { listing, stored, isExcluded }: Work & { readonly isExcluded: (path: string) => boolean },
): Promise<RunResult> {
  const { source, checkpoints } = context
  const present = new Set(listing.files.map(({ path }) => path))
  const isHidden = (path: string) =>
    listing.unreadable.some((folder) => path === folder || path.startsWith(`${folder}/`))
  for (const path of stored.keys()) if (isHidden(path)) context.retain(path)
  const gone = [...stored.keys()].filter((path) => !present.has(path) && !isHidden(path))
  const missing = gone.filter((path) => !isExcluded(path))
  const isSuspicious = missing.length > minSuspicious && missing.length > stored.size / 2
  const digest = hashOf(...missing)
  if (isSuspicious && !(await isConfirmed({ host, checkpoints }, digest)))
    return {
      status: 'paused',
      reason: 'many_missing',
      message: `${missing.length} of ${stored.size} notes are gone. They are removed when a second run sees the same.`,
      frontier: null,
    }
  for (const path of gone) {
    context.assertActive()
    await context.remove(path)
    await manifest.remove(source, path)
  }
  await context.removeStale(source.root)
  await checkpoints.remove('missing')
  await checkpoints.write('scan', { files: listing.files.length })
  return { status: 'complete' }
}

async function isConfirmed(
  { host, checkpoints }: { readonly host: Host; readonly checkpoints: SyncContext['checkpoints'] },
  digest: string,
): Promise<boolean> {
  const now = host.now().getTime()
  const before = await checkpoints.read<Missing>('missing')
  if (before?.digest === digest && now - before.since >= confirmAfterMs) return true
  const since = before?.digest === digest ? before.since : now
  await checkpoints.write('missing', { digest, since }, 'partial')
  return false
}
