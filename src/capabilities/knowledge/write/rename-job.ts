import { transaction } from '../../../kernel/db/transaction.ts'
import type { JobKind } from '../../../kernel/jobs/kind.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import { listProjectedIds } from '../store/projections.ts'
import { maxProjections, projectClaims } from './project-claims.ts'

const kind = 'knowledge.rename'
const actor = { name: 'daemon', actorType: 'daemon', sessionId: null, requestId: null }

interface RenamePayload {
  readonly agentId: string
  readonly entityId: string
}

export function renameJob(agentId: string, entityId: string) {
  return { kind, payload: { agentId, entityId } satisfies RenamePayload }
}

/** Rewrites the derived memories of an entity with its current name. Repeating it changes nothing. */
export function createRenameJob(needs: KnowledgeNeeds): JobKind {
  return {
    kind,
    run: async ({ payload, signal }) => {
      const { agentId, entityId } = payload as RenamePayload
      let after = ''
      while (!signal.aborted) {
        const page = { entityId, after, limit: maxProjections }
        const ids = await transaction(needs.db, async (db) => {
          const ids = await listProjectedIds(db, page)
          await projectClaims(needs, { db, agentId, actor }, ids)
          return ids
        })
        after = ids.at(-1) ?? ''
        if (ids.length < maxProjections) return
      }
    },
  }
}
