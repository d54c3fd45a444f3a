import type { OverlayMetadata } from '../knowledge/index.ts'
import { readBacklog } from './evidence/backlog.ts'
import type { DreamingNeeds } from './needs.ts'
import { toPassItem } from './read-pass.ts'
import { readState } from './store/evidence.ts'
import { listPasses } from './store/passes.ts'

/** The state of Dreaming in the overlay of the graph. */
export function createOverlay(needs: DreamingNeeds): OverlayMetadata {
  return {
    read: async (db, agentId) => {
      const state = await readState(db, agentId)
      const { tokens } = await readBacklog(needs, db, agentId, 'rulesChars')
      const [latest] = await listPasses(db, agentId, { limit: 1 })
      const dreaming = {
        episodicTokensPending: tokens,
        consecutiveFailures: state.rulesFailures,
        lastPassAt: state.lastPassAt,
        lastPassId: state.lastPassId,
        lastPassMode: state.lastPassMode,
        latestPass: latest ? toPassItem(latest) : null,
      }
      return { metadata: { dreaming } }
    },
  }
}
