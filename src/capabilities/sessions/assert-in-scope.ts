import type { Caller } from '../../kernel/auth/caller.ts'
import { outOfScope } from '../../kernel/auth/permission.ts'
import type { SessionsNeeds } from './needs.ts'
import { toBareKey } from './session.ts'
import { listProjects } from './store/projects.ts'

/**
 * Refuses a session that is stored under another project than that of the token, or under none. A
 * session that is stored nowhere passes: it is about to be stored under the project of the token.
 */
export async function assertInScope(
  { db, transcripts }: Pick<SessionsNeeds, 'db' | 'transcripts'>,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
  written: string | undefined,
): Promise<void> {
  const sessionKey = toBareKey(written)
  if (scope.project === undefined || sessionKey === undefined) return
  const id = { agentId, sessionKey }
  const stored = await Promise.all([listProjects(db, id), transcripts.listProjects(db, id)])
  const all = stored.flat()
  const named = all.filter((project) => project !== null)
  const isForeign = named.some((project) => project !== scope.project)
  if (isForeign || (all.length > 0 && named.length === 0))
    throw outOfScope('project', scope.project)
}
