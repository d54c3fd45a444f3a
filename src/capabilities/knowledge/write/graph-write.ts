import type { Db } from '../../../kernel/db/database.ts'
import { settleAll } from '../../../kernel/db/transaction.ts'
import type { Author } from '../../memory/index.ts'
import type { Citation } from '../claim.ts'
import type { KnowledgeContext, KnowledgeNeeds } from '../needs.ts'
import { type Change, insertRows } from '../store/images.ts'
import { recountMentions } from '../store/mentions.ts'
import { syncNames } from '../store/names.ts'
import { listEntitiesOfClaims } from '../store/projections.ts'
import type { KnownRows } from './known-rows.ts'
import { maxProjections, projectClaims } from './project-claims.ts'
import { renameJob } from './rename-job.ts'

/** What supports the rows of an operation. */
export interface Source
  extends Pick<Citation, 'sourceKind' | 'sourceId' | 'quote' | 'sourceTime' | 'visibility'> {
  readonly project: string | null
}

export interface WriteRequest {
  /** A transaction. */
  readonly db: Db
  readonly agentId: string
  readonly actor: Author
  /** The audit row of the operation. */
  readonly proposalId: string | null
  /** Without any, the proposal is the source. */
  readonly sources: readonly Source[]
  /** The words of the author, which the proposal as a source repeats. */
  readonly quote?: string | undefined
  /** Rows that the batch has read. */
  readonly known?: KnownRows | undefined
  /** Statements that the batch awaits before it ends. */
  readonly pendingStatements?: Promise<unknown>[] | undefined
}

/** One operation on the graph of an agent. Every function of this folder takes one. */
export interface GraphWrite extends WriteRequest {
  readonly at: string
  newId(): string
  /** The images of all changed rows, in order. */
  readonly changes: Change[]
  /** Citations that `settle` inserts. */
  readonly citations: Citation[]
  /** Ids of new entities and aspects without child rows: nothing is read to find these. */
  readonly childless: Set<string>
  /** Ids of rows whose counts, names or derived memories are written at the end. */
  readonly touched: Touched
}

interface Touched {
  readonly entities: Set<string>
  readonly claims: Set<string>
  /** Claims whose entity has a new name. */
  readonly renamed: Set<string>
  /** Entities that the sources of the operation mention. */
  readonly mentioned: Set<string>
  /** Those with a memory that did not mention them before. */
  readonly newlyMentioned: Set<string>
}

export function beginWrite(
  { host, emptyGraphs }: Pick<KnowledgeContext, 'host' | 'emptyGraphs'>,
  request: WriteRequest,
): GraphWrite {
  emptyGraphs.invalidate(request.db, request.agentId)
  const at = host.now().toISOString()
  const { proposalId } = request
  const ownSource: Source[] =
    request.sources.length > 0 || proposalId === null
      ? []
      : [
          {
            sourceKind: 'ontology_proposal',
            sourceId: proposalId,
            quote: request.quote ?? '',
            sourceTime: at,
            visibility: 'global',
            project: null,
          },
        ]
  return {
    ...request,
    sources: [...request.sources, ...ownSource],
    at,
    newId: () => host.newId(),
    changes: [],
    citations: [],
    childless: new Set(),
    touched: {
      entities: new Set(),
      claims: new Set(),
      renamed: new Set(),
      mentioned: new Set(),
      newlyMentioned: new Set(),
    },
  }
}

/** Inserts the citations of an operation. Called once, at its end. */
export async function settleWrite(write: GraphWrite): Promise<void> {
  await insertRows(write, 'knowledgeCitations', write.citations.splice(0))
}

/**
 * Writes the counts, the search names and the derived memories of the rows that operations touched.
 * Called once for a batch, at its end.
 */
export async function finishWrites(
  needs: KnowledgeNeeds,
  db: Db,
  writes: readonly GraphWrite[],
): Promise<void> {
  const [first] = writes
  if (!first) return
  const { agentId } = first
  for (const write of writes) await settleWrite(write)
  const touched = (name: keyof Touched) => [
    ...new Set(writes.flatMap((one) => [...one.touched[name]])),
  ]
  const renamed = touched('renamed')
  const isLarge = renamed.length > maxProjections
  const now = new Set([...touched('claims'), ...(isLarge ? [] : renamed)])
  const { actor } = first
  const target = { db, agentId, actor, insertedIds: listInserted(writes) }
  // Sent together: the database works on them in order.
  await settleAll([
    recountMentions(db, touched('newlyMentioned')),
    syncNames(db, agentId, touched('entities')),
    projectClaims(needs, target, [...now]),
  ])
  if (!isLarge) return
  const entityIds = await listEntitiesOfClaims(db, renamed)
  for (const entityId of entityIds) await needs.jobs.enqueue(db, renameJob(agentId, entityId))
}

/** A claim that a later operation of the batch supersedes is remembered as history. */
function listInserted(writes: readonly GraphWrite[]): ReadonlySet<string> {
  const changes = writes.flatMap((write) => write.changes)
  const inserted = changes.filter(
    ({ table, before, after }) =>
      table === 'entityAttributes' && before === null && after?.['status'] === 'active',
  )
  return new Set(inserted.map(({ rowId }) => rowId))
}
