import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DaemonProcess, launchDaemon } from '../../test/support/daemon-process.ts'
import { copyRows } from '../postgres/copy-rows.ts'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { stop } from '../support/daemon.ts'
import { watchLoop } from '../support/max-block.ts'
import { claimOf, contentOf, linkOf, nameOf, type Size } from './graph.ts'
import { listMemoryIds, seedGraph, seedMemories } from './seed.ts'

export const databaseFile = join('memory', 'memories.db')
const graphTables = [
  'entities',
  'entity_names',
  'entity_name_words',
  'entity_aspects',
  'entity_attributes',
  'entity_dependencies',
  'knowledge_citations',
  'memory_entity_mentions',
  'memory_history',
]

/** The same memories without vectors: without a graph, with recall not looking for one, with one. */
export const kinds = ['empty', 'off', 'graph'] as const
export type Kind = (typeof kinds)[number]

export interface Place {
  readonly workspace: string
  readonly env: Readonly<Record<string, string>>
  daemon: DaemonProcess
  call: Call
  readonly memoryIds: readonly string[]
}

/** Seeds a file without a graph, copies it, and seeds the graph in one copy. */
export async function seedPlaces(
  root: string,
  { size, urls }: { readonly size: Size; readonly urls: readonly string[] },
): Promise<Record<Kind, Place>> {
  const files = {} as Record<Kind, string>
  for (const kind of kinds) files[kind] = join(await createWorkspace(root, kind), databaseFile)
  await inDaemon(root, 'empty', async (call) => {
    await call('POST /api/memory/remember', { content: contentOf(0, size) })
  })
  seedMemories(files.empty, size)
  const memoryIds = listMemoryIds(files.empty)
  for (const kind of ['off', 'graph'] as const) {
    await mkdir(dirname(files[kind]), { recursive: true })
    await copyFile(files.empty, files[kind])
  }
  await inDaemon(root, 'graph', async (call) => {
    const end = { operation: 'create_entity', payload: { name: nameOf(1) } }
    const operations = [claimOf(0, size, memoryIds), end, linkOf(0, size)]
    await call('POST /api/ontology/operations/batch', { operations })
  })
  seedGraph(files.graph, size)
  const places = {} as Record<Kind, Place>
  for (const [number, kind] of kinds.entries()) {
    const url = urls[number]
    if (url !== undefined) await seedServer(join(root, kind), files[kind], url)
    places[kind] = await open(join(root, kind), { url, memoryIds })
  }
  return places
}

async function createWorkspace(root: string, kind: Kind): Promise<string> {
  const workspace = join(root, kind)
  await mkdir(workspace)
  const memory = { pipelineV2: { traversal: { enabled: kind !== 'off' } } }
  const settings = { embedding: { provider: 'none' }, memory }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify(settings))
  return workspace
}

async function inDaemon(root: string, kind: Kind, work: (call: Call) => Promise<void>) {
  const daemon = await launchDaemon({ workspace: join(root, kind) })
  await work(connect(daemon))
  await stop(daemon)
}

/** A daemon creates the tables of the server. */
async function seedServer(workspace: string, file: string, url: string): Promise<void> {
  await stop(await launchDaemon({ workspace, env: { SVC_DATABASE_URL: url } }))
  await copyRows(file, url, graphTables)
}

async function open(
  workspace: string,
  { url, memoryIds }: { readonly url: string | undefined; readonly memoryIds: readonly string[] },
): Promise<Place> {
  const env = { ...watchLoop, ...(url !== undefined && { SVC_DATABASE_URL: url }) }
  const daemon = await launchDaemon({ workspace, env })
  return { workspace, env, daemon, call: connect(daemon), memoryIds }
}

export function connect({ url }: DaemonProcess): Call {
  return throwOnError(createClient(url))
}
