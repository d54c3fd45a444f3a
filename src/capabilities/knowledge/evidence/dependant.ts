import type { AgentRemoval, EvidenceDependant } from '../../../kernel/capability/capability.ts'
import type { KnowledgeContext } from '../needs.ts'
import { archiveAgentGraph, deleteAgentGraph } from '../store/agent-removal.ts'
import { purgeRows } from './purge.ts'
import { restoreWithheld } from './restore.ts'
import { withholdRows } from './withhold.ts'

/** Removes rows of the graph whose evidence is forgotten. */
export function createEvidenceDependant(needs: KnowledgeContext): EvidenceDependant {
  return {
    forgotten: (db, change) => withholdRows(needs, db, change),
    recovered: (db, change) => restoreWithheld(needs, db, change),
    purged: (db, change) => purgeRows(needs, db, change),
  }
}

export function createAgentRemoval({ host }: KnowledgeContext): AgentRemoval {
  return {
    archive: (db, agentId) => archiveAgentGraph(db, agentId, host.now().toISOString()),
    purge: deleteAgentGraph,
  }
}
