import { deleteAgentRows } from '../../../kernel/db/agent-rows.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Tables, tables } from './rows.ts'

const all: readonly (keyof Tables)[] = [
  'entities',
  'entityAliases',
  'entityAspects',
  'entityAttributes',
  'entityDependencies',
  'knowledgeCitations',
  'memoryEntityMentions',
  'entityNames',
  'entityNameWords',
  'knowledgeDegrees',
  'knowledgeSourceNodes',
  'knowledgeSourceNames',
  'knowledgeSourceTargets',
]
const withheld = all.slice(0, 5)
const derived = ['entityNames', 'entityNameWords', 'knowledgeDegrees'] as const

export async function deleteAgentGraph(db: Db, agentId: string): Promise<void> {
  await deleteAgentRows(db, all, agentId)
}

/** Hides every row and makes none of them findable. */
export async function archiveAgentGraph(db: Db, agentId: string, at: string): Promise<void> {
  for (const table of withheld)
    await tables(db)
      .updateTable(table as 'entities')
      .set({ withheldAt: at })
      .where('agentId', '=', agentId)
      .where('withheldAt', 'is', null)
      .execute()
  await deleteAgentRows(db, derived, agentId)
}
