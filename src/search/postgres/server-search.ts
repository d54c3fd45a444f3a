import type { Db } from '../../kernel/db/database.ts'
import type { SearchEngine } from '../engine.ts'
import { createServerEngine, type ServerEngineNeeds } from './server-engine.ts'
import { countMemories, readRevisions } from './store/feeds.ts'
import { emptyTables, readState } from './store/state.ts'
import { openExtension } from './store/vector-index.ts'
import { createSwitchingEngine, type SwitchingNeeds } from './switching-engine.ts'

interface ServerSearchNeeds extends Omit<ServerEngineNeeds, 'snapshot'> {
  readonly db: Db
  /** `search.index` */
  readonly index: 'auto' | 'memory' | 'server'
  readonly snapshotFile: string
  readonly maxMemoryRows?: number | undefined
}

/** About 4 GB of memory. */
const defaultMaxMemoryRows = 2_000_000

/** One reads changes, one confirms searches. */
const memoryConnections = 2

/** The index of a server: in memory, in tables of the server, or the one that fits its size. */
export function createServerSearch(needs: ServerSearchNeeds): SearchEngine {
  const { db, index, snapshotFile, maxMemoryRows = defaultMaxMemoryRows, ...engineNeeds } = needs
  const { server } = engineNeeds
  if (index === 'server') return createServerEngine(engineNeeds)
  const connections = Math.max(1, server.connections - memoryConnections)
  return createSwitchingEngine({
    ...engineNeeds,
    ...createTableAccess(needs),
    maxMemoryRows: index === 'auto' ? maxMemoryRows : Number.POSITIVE_INFINITY,
    createMemory: () =>
      createServerEngine({
        ...engineNeeds,
        server: { ...server, connections: Math.min(memoryConnections, server.connections) },
        snapshot: { snapshotFile },
      }),
    createServer: () => createServerEngine({ ...engineNeeds, server: { ...server, connections } }),
  })
}

export function createTableAccess({
  db,
  feeds,
}: Pick<ServerSearchNeeds, 'db' | 'feeds'>): Pick<
  SwitchingNeeds,
  'exceeds' | 'findProblem' | 'readUnused' | 'emptyTables'
> {
  return {
    exceeds: async (rows) => (await countMemories(db, feeds, rows + 1)) > rows,
    findProblem: () => openExtension(db),
    readUnused: async () => {
      const { newest } = await readRevisions(db, feeds)
      const state = await readState(db)
      return state.rules !== 0 && state.seenMemory < newest ? state : undefined
    },
    emptyTables: (state) => emptyTables(db, state),
  }
}
