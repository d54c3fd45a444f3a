import type { Caller } from '../../kernel/auth/caller.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { SourceDeletion } from './deletion/delete-source.ts'
import type { ImportedRows } from './ports.ts'
import { sourcesRefusal } from './refusals.ts'
import type { Registry } from './registry/registry.ts'
import type { RunScheduler } from './runs/scheduler.ts'
import { ownerOf, type SourceDraft, type SourceEntry } from './source.ts'
import { type HealthNeeds, readSourceHealth, readStats } from './source-health.ts'
import { countArtifacts } from './store/artifacts.ts'
import { countChunks } from './store/chunks.ts'

/** What the operations on sources use. */
export interface ManageNeeds extends HealthNeeds {
  readonly registry: Registry
  readonly deletion: SourceDeletion
  readonly scheduler: RunScheduler
  readonly importedRows: Pick<ExtensionPoint<ImportedRows>, 'list'>
}

/** The sources of the caller's agent that are not being deleted. */
export async function listSources(needs: ManageNeeds, { agentId }: Caller) {
  const all = await needs.registry.list()
  const own = all.filter((source) => ownerOf(source) === agentId)
  const shown = await Promise.all(
    own.map(async (source) => ((await needs.deletion.isDeleted(source)) ? [] : [source])),
  )
  return {
    version: 1 as const,
    sources: await Promise.all(shown.flat().map((one) => show(needs, one))),
  }
}

/** Refuses `source_not_found`. */
export async function readSource(needs: ManageNeeds, caller: Caller, sourceId: string) {
  const source = await findOwn(needs, caller, sourceId)
  return { source: await show(needs, source), runs: [...needs.scheduler.history(sourceId)] }
}

async function show(needs: ManageNeeds, source: SourceEntry) {
  const [stats, health, imported] = await Promise.all([
    readStats(needs, source),
    readSourceHealth(needs, source),
    countImported(needs, source),
  ])
  const indexJob = needs.scheduler.find(source.id) ?? null
  return { ...source, stats: addImported(stats, imported), health, indexJob }
}

/** Conversations and other rows of an imported file that are no artifacts. */
async function countImported(
  { importedRows }: Pick<ManageNeeds, 'importedRows'>,
  source: SourceEntry,
): Promise<number> {
  if (source.kind !== 'import') return 0
  const key = { agentId: ownerOf(source), sourceId: source.id }
  const counts = await Promise.all(importedRows.list().map((rows) => rows.count(key)))
  return counts.reduce((sum, count) => sum + count, 0)
}

const addImported = <Stats extends { readonly artifacts: number; readonly indexed: number }>(
  stats: Stats,
  imported: number,
) => ({ ...stats, artifacts: stats.artifacts + imported, indexed: stats.indexed + imported })

export async function readHealth(needs: ManageNeeds, caller: Caller, sourceId: string) {
  const source = await findOwn(needs, caller, sourceId)
  const [stats, health, imported] = await Promise.all([
    readStats(needs, source),
    readSourceHealth(needs, source),
    countImported(needs, source),
  ])
  return { source, stats: addImported(stats, imported), health }
}

/** Adds or updates a source and queues its run. Refuses `source_deleting`. */
export async function addSource(needs: ManageNeeds, draft: SourceDraft) {
  if (await needs.deletion.isDeleting(draft.id)) throw sourcesRefusal('source_deleting')
  const { source, created } = await needs.registry.save(draft)
  const job = needs.scheduler.enqueue(source)
  return { source, created, indexed: 0 as const, queued: true as const, job }
}

/** The source of this agent and root, whose settings a new request may omit. */
export async function findByRoot(
  { registry }: Pick<ManageNeeds, 'registry'>,
  { agentId, root }: { readonly agentId: string; readonly root: string },
): Promise<SourceEntry | undefined> {
  const sources = await registry.list()
  return sources.find((source) => source.root === root && ownerOf(source) === agentId)
}

/** Queues a run, or returns the active one. */
export async function indexSource(needs: ManageNeeds, caller: Caller, sourceId: string) {
  const source = await findOwn(needs, caller, sourceId)
  return { job: needs.scheduler.enqueue(source) }
}

/** Ends the active run. No run starts by itself until the source is resumed. */
export async function pauseSource(needs: ManageNeeds, caller: Caller, sourceId: string) {
  const before = await findOwn(needs, caller, sourceId)
  const source = (await needs.registry.update(before, { enabled: false })) ?? before
  await needs.scheduler.cancel(sourceId, 'paused')
  return { source, changed: before.enabled, job: needs.scheduler.find(sourceId) ?? null }
}

export async function resumeSource(needs: ManageNeeds, caller: Caller, sourceId: string) {
  const before = await findOwn(needs, caller, sourceId)
  const source = (await needs.registry.update(before, { enabled: true })) ?? before
  return { source, changed: !before.enabled, job: needs.scheduler.enqueue(source) }
}

interface DeletionRequest {
  readonly sourceId: string
  readonly dryRun?: boolean | undefined
}

/** Deletes a source, or reports what a deletion would remove. */
export async function deleteSource(
  needs: ManageNeeds,
  caller: Caller,
  { sourceId, dryRun }: DeletionRequest,
) {
  if (dryRun) return previewDeletion(needs, caller, sourceId)
  return needs.deletion.delete(caller.agentId, sourceId)
}

async function previewDeletion(needs: ManageNeeds, caller: Caller, sourceId: string) {
  const source = await findOwn(needs, caller, sourceId)
  const [{ artifacts, failures }, chunks, rows] = await Promise.all([
    countArtifacts(needs.db, sourceId),
    countChunks(needs.db, sourceId),
    needs.graph.countRows(needs.db, ownerOf(source), sourceId),
  ])
  const { entities, aspects, attributes, dependencies } = rows
  const graph = { entities, aspects, attributes, dependencies }
  const purged = { artifacts: artifacts + failures, chunks, ...graph }
  return { source, purged, dryRun: true as const }
}

/** A source of another agent, or one that is being deleted, is as missing. */
export async function findOwn(
  { registry, deletion }: ManageNeeds,
  { agentId }: Caller,
  sourceId: string,
): Promise<SourceEntry> {
  const source = await registry.find(sourceId)
  if (!source || ownerOf(source) !== agentId || (await deletion.isDeleted(source)))
    throw sourcesRefusal('source_not_found')
  return source
}

/** A file whose rows another capability owns. */
export interface ImportedFile {
  readonly agentId: string
  readonly sourceId: string
  readonly name: string
  /** The same for each registration of a file. */
  readonly importKey: string
}

export async function registerImport(
  { registry }: Pick<ManageNeeds, 'registry'>,
  { agentId, sourceId, name, importKey }: ImportedFile,
): Promise<void> {
  await registry.save({
    id: sourceId,
    kind: 'import',
    name,
    root: name,
    excludeGlobs: [],
    providerSettings: { agentId, fileName: name, importKey },
  })
}

/** Records that all lines of a registered file have an outcome. */
export async function completeImport(
  { registry, host }: Pick<ManageNeeds, 'registry' | 'host'>,
  sourceId: string,
): Promise<void> {
  const source = await registry.find(sourceId)
  if (source) await registry.update(source, { lastIndexedAt: host.now().toISOString() })
}
