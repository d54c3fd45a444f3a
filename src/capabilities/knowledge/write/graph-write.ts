import type { Db } from '../../../kernel/db/database.ts'
import type { Author } from '../../memory/index.ts'
import type { Citation } from '../claim.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import type { Change } from '../store/images.ts'
import { syncNames } from '../store/names.ts'
import { listEntitiesOfClaims } from '../store/projections.ts'
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
}

/** One operation on the graph of an agent. Every function of this folder takes one. */
export interface GraphWrite extends WriteRequest {
  readonly at: string
  newId(): string
  /** The images of all changed rows, in order. */
  readonly changes: Change[]
  /** Ids of rows whose names or derived memories are written at the end. */
  readonly touched: {
    readonly entities: Set<string>
    readonly claims: Set<string>
    /** Claims whose entity has a new name. */
    readonly renamed: Set<string>
  }
}

export function beginWrite({ host }: KnowledgeNeeds, request: WriteRequest): GraphWrite {
  const at = host.now().toISOString()
  const { proposalId } = request
  const ownSource: Source[] =
    request.sources.length > 0 || proposalId === null
      ? []
      : [
          {
            sourceKind: 'ontology_proposal',
            sourceId: proposalId,
            quote: '',
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
    touched: { entities: new Set(), claims: new Set(), renamed: new Set() },
  }
}

/** Writes the search names and the derived memories of the touched rows. Called once, at the end. */
export async function finishWrite(needs: KnowledgeNeeds, write: GraphWrite): Promise<void> {
  const { db, agentId, touched } = write
  await syncNames(db, agentId, [...touched.entities])
  const isLarge = touched.renamed.size > maxProjections
  const now = new Set([...touched.claims, ...(isLarge ? [] : touched.renamed)])
  await projectClaims(needs, write, [...now])
  if (!isLarge) return
  const entityIds = await listEntitiesOfClaims(db, [...touched.renamed])
  for (const entityId of entityIds) await needs.jobs.enqueue(db, renameJob(agentId, entityId))
}
