import type { Host } from '../../kernel/host/host.ts'
import type { Log } from '../../kernel/log/log.ts'
import { EngineUnavailable, initialHealth, type SearchEngine } from '../engine.ts'
import type { State as TableState } from './store/rows.ts'

export interface SwitchingNeeds {
  readonly host: Host
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly createMemory: () => SearchEngine
  readonly createServer: () => SearchEngine
  readonly maxMemoryRows: number
  /** Whether the database has more memories. */
  readonly exceeds: (rows: number) => Promise<boolean>
  /** Why the server cannot have the vectors, and how to fix it. */
  readonly findProblem: () => Promise<string | undefined>
  /** The state of tables that are behind; undefined if they are current or empty. */
  readonly readUnused: () => Promise<TableState | undefined>
  /** Returns false if another daemon uses them. */
  readonly emptyTables: (state: TableState) => Promise<boolean>
  readonly timing?: Partial<typeof defaultTiming>
}

const defaultTiming = {
  /** How long the tables of a large database may take to catch up before memory answers. */
  serverStartMs: 5000,
  reviewMs: 60_000,
  /** A daemon that uses the tables changes them within this time. */
  unusedMs: 600_000,
}

/** Between two looks at the server's tables at the start. */
const pollMs = 50

interface State {
  memory?: SearchEngine
  server?: SearchEngine
  oversized?: string | undefined
  reviewedAt: number
  unused?: { readonly tables: TableState; readonly since: number } | undefined
  /** The memory engine after the switch. */
  closing?: Promise<void>
  isClosed?: true
}

/**
 * Answers from memory up to a number of rows. Beyond it the tables of the server are built in the
 * background, and answer as soon as they are complete.
 */
export function createSwitchingEngine(needs: SwitchingNeeds): SearchEngine {
  const { host, log } = needs
  const { reviewMs, serverStartMs } = { ...defaultTiming, ...needs.timing }
  const state: State = { reviewedAt: Number.NEGATIVE_INFINITY }
  const now = () => host.now().getTime()

  const start = async () => {
    if (await isTooLarge(needs)) await startServer(needs, state)
    const deadline = now() + serverStartMs
    while (state.server && !isComplete(state) && now() < deadline && !state.isClosed)
      await host.sleep(pollMs)
    if (!isComplete(state) && !state.isClosed) state.memory = needs.createMemory()
  }
  const started = start()
  const current = () => {
    const { memory, server } = state
    if (!isComplete(state)) return memory ?? server
    if (memory) {
      log.info('search index moved to the server')
      delete state.memory
      state.closing = memory.close()
    }
    return server
  }
  const review = async () => {
    if (state.server || state.isClosed || now() - state.reviewedAt < reviewMs) return
    state.reviewedAt = now()
    const { rows = 0 } = state.memory?.health() ?? {}
    if (rows > needs.maxMemoryRows) await startServer(needs, state)
    else await releaseTables(needs, state)
  }
  const withEngine = async <Answer>(work: (engine: SearchEngine) => Promise<Answer>) => {
    await started
    const engine = current()
    if (!engine || state.isClosed) throw new EngineUnavailable('The search engine is closed.')
    return work(engine)
  }
  return {
    changed: () => {
      state.memory?.changed()
      state.server?.changed()
      void review().catch((error: unknown) =>
        log.warn({ err: error }, 'search index review failed'),
      )
    },
    search: (query) => withEngine((engine) => engine.search(query)),
    similar: (query) => withEngine((engine) => engine.similar(query)),
    health: () => {
      const { oversized } = state
      return { ...(current()?.health() ?? initialHealth), ...(oversized && { oversized }) }
    },
    close: async () => {
      state.isClosed = true
      await started
      await Promise.all([state.memory?.close(), state.server?.close(), state.closing])
    },
  }
}

/** Without an answer of the database the index starts in memory. */
async function isTooLarge({ log, maxMemoryRows, exceeds }: SwitchingNeeds): Promise<boolean> {
  if (maxMemoryRows === Number.POSITIVE_INFINITY) return false
  try {
    return await exceeds(maxMemoryRows)
  } catch (error) {
    log.warn({ err: error }, 'search index size is unknown')
    return false
  }
}

/** Whether the tables of the server answer as well as memory. */
function isComplete({ server }: State): boolean {
  const { state, withoutVectors } = server?.health() ?? {}
  return state === 'ready' && !withoutVectors
}

async function startServer(needs: SwitchingNeeds, state: State): Promise<void> {
  const problem = await needs.findProblem()
  if (problem !== undefined && problem !== state.oversized)
    needs.log.warn({ problem }, 'search index stays in memory')
  state.oversized = problem
  if (problem === undefined && !state.isClosed) state.server = needs.createServer()
}

/** Tables that no daemon uses are emptied: texts of purged memories would stay in them. */
async function releaseTables(needs: SwitchingNeeds, state: State): Promise<void> {
  const { unusedMs } = { ...defaultTiming, ...needs.timing }
  const at = needs.host.now().getTime()
  state.oversized = undefined
  const tables = await needs.readUnused()
  if (!tables || tables.seenMemory !== state.unused?.tables.seenMemory)
    state.unused = tables && { tables, since: at }
  else if (at - state.unused.since >= unusedMs && (await needs.emptyTables(tables))) {
    state.unused = undefined
    needs.log.info('unused search tables emptied')
  }
}
