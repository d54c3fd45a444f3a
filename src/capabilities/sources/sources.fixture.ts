import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createExtraction } from '../extraction/index.ts'
import { knowledgeKit, knowledgeTables } from '../knowledge/knowledge.fixture.ts'
import { sourcesSettings } from './config.ts'
import { draftVault } from './kinds/notes-vault/draft.ts'
import { addSource, indexSource } from './manage.ts'
import { sourcesMigrations } from './migrations.ts'
import type { SourcesOptions } from './needs.ts'
import { createParts } from './parts.ts'
import { isActive } from './runs/job.ts'
import { listArtifacts } from './store/artifacts.ts'
import { findCheckpoint } from './store/checkpoints.ts'
import { tables } from './store/rows.ts'

export const onEachEngine = testOnEachEngine([...knowledgeTables, ...sourcesMigrations])
export const ada = callerFor('ada')

/** Real stores and files, without an index and without vectors. */
export async function sourcesKit(db: Db, changes: Partial<SourcesOptions> = {}) {
  const host = manualClockHost()
  const log = createLog('silent')
  const folder = await temporaryFolder()
  const statuses: string[] = []
  const graph = graphNeeds(db)
  const options: SourcesOptions = {
    db,
    background: db,
    host,
    log,
    events: {
      emit: (_type, payload) => {
        statuses.push(String(Object(payload).status))
      },
    },
    folder,
    home: folder,
    allowedOrigins: () => [],
    config: () => sourcesSettings.schema.parse(undefined),
    outbound: { fetch: noNetwork, connect: noNetwork },
    children: noChildLedger,
    variables: () => ({}),
    credentials: { resolve: async () => undefined },
    embeddings: { embedTexts: async () => undefined, activeIdentity: () => '' },
    extractor: createExtraction({ host, log, children: noChildLedger }).extractor,
    engine: silentEngine(),
    locks: createFileLocks(host),
    ...graph.needs,
    ...changes,
  }
  const parts = createParts(options)
  parts.importedRows.seal()
  const settle = async (sourceId: string) => {
    await vi.waitFor(
      () => {
        const job = parts.scheduler.find(sourceId)
        expect(job && isActive(job)).toBe(false)
      },
      { timeout: 20_000, interval: 20 },
    )
    return parts.scheduler.find(sourceId)
  }
  return {
    ...parts,
    host,
    folder,
    statuses,
    attentionItems: graph.attentionItems,
    settle,
    /** Runs a source and returns its ended job. */
    run: async (sourceId: string) => {
      await indexSource(parts, ada, sourceId)
      return settle(sourceId)
    },
    ...readersOf(db),
  }
}

function readersOf(db: Db) {
  return {
    listPaths: async (sourceId: string) =>
      (await listArtifacts(db, sourceId, { after: '', limit: 10_000 })).map(
        (row) => row.sourcePath,
      ),
    listKinds: async (sourceId: string) => {
      const rows = await listArtifacts(db, sourceId, { after: '', limit: 10_000 })
      return [...new Set(rows.map((row) => row.sourceKind))].toSorted()
    },
    checkpoint: async (sourceId: string, key: string) => {
      const row = await findCheckpoint(db, sourceId, key)
      return JSON.parse(row?.cursorJson ?? 'null') as unknown
    },
    listChunks: (sourceId: string) =>
      tables(db)
        .selectFrom('sourceChunks')
        .selectAll()
        .where('sourceId', '=', sourceId)
        .orderBy('chunkId')
        .execute(),
  }
}

/** The real graph, and a list in the place of the queue of Dreaming. */
function graphNeeds(db: Db) {
  const { sourceGraph, evidenceDependant } = knowledgeKit(db).knowledge
  const attentionItems: unknown[] = []
  const attention = {
    enqueue: async (_db: Db, item: unknown) => String(attentionItems.push(item)),
    drop: () => Promise.resolve(),
  }
  const evidenceDependants = { list: () => [evidenceDependant] }
  return { attentionItems, needs: { graph: sourceGraph, attention, evidenceDependants } }
}

export type SourcesKit = Awaited<ReturnType<typeof sourcesKit>>

const noNetwork = () => Promise.reject(new Error('no network'))

function silentEngine(): SourcesOptions['engine'] {
  const nothing = async () => ({ candidates: [], timings: [] })
  return {
    changed: () => undefined,
    search: nothing,
    similar: nothing,
    health: () => ({ state: 'ready', rows: 0, vectors: 0, revision: 0 }),
    close: () => Promise.resolve(),
  }
}

/** A vault with these notes by their paths, added and indexed. */
export async function addVault(kit: SourcesKit, notes: Readonly<Record<string, string>>) {
  const root = join(kit.folder, 'vault')
  await mkdir(root, { recursive: true })
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
    // A second write within a tick of the file system has another time.
    state.seconds += 1
    await utimes(join(root, path), state.seconds, state.seconds)
  }
  const state = { seconds: 1_700_000_000 }
  for (const [path, text] of Object.entries(notes)) await write(path, text)
  const request = { path: root, name: undefined, excludeGlobs: undefined, agentId: ada.agentId }
  const { source } = await addSource(kit, await draftVault(request, kit.folder))
  const job = await kit.settle(source.id)
  return {
    id: source.id,
    source,
    job,
    root,
    write,
    remove: (path: string) => rm(join(root, path), { recursive: true }),
    pathOf: (path: string) => join(root, path),
    pathsOf: (paths: readonly string[]) => paths.map((path) => join(root, path)),
  }
}
