import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type ReadTask, runReadTask } from '../../../kernel/db/read-task.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { withTimeout } from '../../../kernel/host/with-timeout.ts'
import { moduleFile } from '../../../kernel/threads/module-file.ts'
import type { EntitiesPort, EntityReader } from '../../hooks/index.ts'
import type { GraphAnswer, GraphSource } from '../../recall/index.ts'
import type { KnowledgeConfig } from '../config.ts'
import type { KnowledgeContext, KnowledgeNeeds } from '../needs.ts'
import { listBestClaims } from '../store/best-claims.ts'
import { countClaimsOf } from '../store/degrees.ts'
import { findNamed, listCitedMemories } from '../store/focal.ts'
import { listSuccessorMemories } from '../store/successors.ts'
import { findFocal } from './find-focal.ts'
import { listNameCandidates } from './names-in-text.ts'
import { type GraphSearch, noAnswer, searchGraph } from './search-graph.ts'

/** A late answer is an error, which the caller leaves out. */
async function inTime<Result>(host: Host, ms: number, work: Promise<Result>): Promise<Result> {
  const result = await withTimeout(host, ms, work)
  if (result === undefined) throw new Error(`The graph did not answer within ${ms} ms.`)
  return result
}

const graphSearch: ReadTask<GraphSearch, GraphAnswer> = {
  module: moduleFile(import.meta.url, './threads/search-graph-task'),
  read: searchGraph,
}

/** What recall finds by the graph. A token of one project finds nothing: a graph is of all. */
export function createGraphSource({
  db,
  host,
  config,
  emptyGraphs,
}: KnowledgeContext): GraphSource {
  const isUnreadable = async ({ agentId, project }: ReadScope) =>
    project !== null || (await emptyGraphs.has(agentId))
  return {
    search: async (text, { readScope }) => {
      const { enabled, timeoutMs, ...limits } = config().traversal
      if (!enabled || (await isUnreadable(readScope))) return noAnswer
      const search = {
        agentId: readScope.agentId,
        text,
        names: listNameCandidates(text),
        limits: toLimits(limits),
      }
      return inTime(host, timeoutMs, runReadTask(db, graphSearch, search))
    },
    listCurrentness: async (readScope, ids) =>
      (await isUnreadable(readScope)) ? new Map() : listCurrentness(db, readScope.agentId, ids),
    listSuccessors: async (readScope, ids) =>
      (await isUnreadable(readScope))
        ? new Map()
        : listSuccessorMemories(db, readScope.agentId, ids),
    listCited: ({ agentId, project }, ids) =>
      project === null ? listCitedMemories(db, agentId, ids) : Promise.resolve(new Map()),
  }
}

/** Whether the claims that memories support are current, for those with claims. */
async function listCurrentness(db: Db, agentId: string, ids: readonly string[]) {
  const counts = await countClaimsOf(db, agentId, ids)
  return new Map(
    counts.map(({ claims, memoryId, superseded }) => {
      const [all, past] = [Number(claims), Number(superseded)]
      const state = past === 0 ? 'current' : past < all ? 'partly' : 'superseded'
      return [memoryId, state] as const
    }),
  )
}

type Limits = Omit<KnowledgeConfig['traversal'], 'enabled' | 'timeoutMs'>

function toLimits(config: Limits) {
  return {
    maxHops: config.maxDependencyHops,
    minStrength: config.minDependencyStrength,
    branching: config.maxBranching,
    maxPaths: config.maxTraversalPaths,
  }
}

const hookTimeoutMs = 300
const maxAttributes = 192

/** What hooks read of the entities of prompts and projects. */
export function createEntitySource({ db, host, memory, config }: KnowledgeNeeds): EntitiesPort {
  const within = <Result>({ project }: EntityReader, none: Result, read: () => Promise<Result>) =>
    project === null ? inTime(host, hookTimeoutMs, read()) : Promise.resolve(none)
  return {
    findNamed: (reader, phrases) => within(reader, [], () => listNamed(db, reader, phrases)),
    listAttributes: (reader, entityId) =>
      within(reader, [], () => listAttributes(db, reader, entityId)),
    findFocal: (reader, project) =>
      within(reader, { memoryIds: [], constraints: [] }, () =>
        findFocal({ db, memory }, reader, {
          project,
          constraintCharacters: config().traversal.constraintBudgetChars,
        }),
      ),
  }
}

async function listNamed(db: Db, { agentId }: EntityReader, phrases: readonly string[]) {
  const entities = await findNamed(db, agentId, phrases)
  return entities.map(({ kind, pinned, ...entity }) => ({
    ...entity,
    isAlias: kind === 'alias',
    pinned: pinned === 1,
  }))
}

async function listAttributes(db: Db, { agentId }: EntityReader, entityId: string) {
  const page = { entityIds: [entityId], limit: maxAttributes }
  const claims = await listBestClaims(db, agentId, page)
  return claims.map((claim) => ({
    id: claim.id,
    kind: claim.kind,
    aspect: claim.aspectName,
    group: claim.groupKey,
    claimKey: claim.claimKey,
    content: claim.content,
    importance: claim.importance,
    confidence: claim.confidence,
    source: claim.sourceKind ?? 'graph',
  }))
}
