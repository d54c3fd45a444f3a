import type { Db } from '../../../kernel/db/database.ts'
import { toPhrase } from '../name.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import { listBestClaims } from '../store/best-claims.ts'
import { findNamed, listMentioned, listMentioning } from '../store/focal.ts'

const maxEntities = 20
const maxMemories = 50
const maxConstraints = 8
const newestMemories = 200
const claimsPerEntity = 50

interface FocalRequest {
  readonly project: string
  readonly constraintCharacters: number
}

/** The entities of a project: that of its name, then those its newest memories mention. */
export async function findFocal(
  { db, memory }: Pick<KnowledgeNeeds, 'db' | 'memory'>,
  { agentId }: { readonly agentId: string },
  { project, constraintCharacters }: FocalRequest,
) {
  const parts = [project, project.split(/[\\/]/).findLast((part) => part !== '') ?? '']
  const phrases = [...new Set(parts.map(toPhrase))].filter((phrase) => phrase !== '')
  const named = phrases.length === 0 ? [] : await findNamed(db, agentId, phrases)
  const recent = { agentId, project, limit: newestMemories }
  const memoryIds = await memory.selection.listNewestIds(db, recent)
  const mentioned = await listMentioned(db, agentId, { memoryIds, limit: maxEntities })
  const ids = [...new Set([...named, ...mentioned].map(({ id }) => id))].slice(0, maxEntities)
  return {
    memoryIds: await listMentioning(db, agentId, { entityIds: ids, limit: maxMemories }),
    constraints: await listConstraints(db, agentId, { ids, constraintCharacters }),
  }
}

async function listConstraints(
  db: Db,
  agentId: string,
  { ids, constraintCharacters }: { readonly ids: readonly string[]; constraintCharacters: number },
): Promise<readonly string[]> {
  const claims = await listBestClaims(db, agentId, { entityIds: ids, limit: claimsPerEntity })
  const texts = claims.filter(({ kind }) => kind === 'constraint').map(({ content }) => content)
  let characters = 0
  return texts.slice(0, maxConstraints).filter((text) => {
    characters += text.length
    return characters <= constraintCharacters
  })
}
