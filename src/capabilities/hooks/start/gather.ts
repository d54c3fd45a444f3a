import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { SessionStart } from '../hook.ts'
import type { Contribution, HooksNeeds } from '../needs.ts'
import { guidance, statusLine, toGapLine, toPeers, toSecretNames } from '../render.ts'
import { hasCompaction } from '../store.ts'
import { gatherMemory } from './gather-memory.ts'
import type { Profile } from './profile.ts'
import { findCheckpoints, inherit } from './recovery.ts'
import { readWorkingMemory } from './working-memory.ts'
import { readIdentity } from './workspace-files.ts'

const maxPeers = 6
/** Upper limit of the memory count in the gap line. */
const maxCounted = 1000

/** Collects all parts of the start context before truncation to the budget. */
export async function gather(needs: HooksNeeds, request: SessionStart, profile: Profile) {
  const { project, caller, sessionKey } = request.hook
  const { includes } = profile
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const [files, working, gap, peers, checkpoints, inherited, added, isCompacted] =
    await Promise.all([
      readFiles(needs, profile),
      readWorkingMemory(needs, { scope, project, sessionKey, includes }),
      includes('gap') ? measureGap(needs, { scope, project }) : '',
      includes('peers') ? findPeers(needs, scope, request) : [],
      findCheckpoints(needs, request.hook),
      includes('parent') ? inherit(needs, request) : '',
      readAdditions(needs, profile),
      isAfterCompaction(needs, request),
    ])
  const stable = [...(includes('guidance') ? [guidance] : []), ...added.system, ...files.parts]
  const status = includes('status') ? statusLine : ''
  const shortParts = [includes('guidance') ? guidance : '', status, gap, toPeers(peers)]
  const memory = await gatherMemory(needs, request, {
    scope,
    working,
    checkpoints,
    includes,
    isCompacted,
    otherLength: shortParts.join('\n\n').length,
  })
  return {
    identity: files.identity,
    recentContext: working.file,
    injected: memory.injected,
    rest: memory.rest,
    problems: [...files.problems, ...working.problems],
    parts: {
      stable,
      status,
      gap,
      peers: toPeers(peers),
      workingMemory: memory.workingMemory,
      memories: memory.lines,
      added: added.others,
      reserved: [memory.constraints, inherited, memory.recovery],
    },
  }
}

async function isAfterCompaction(
  { db }: HooksNeeds,
  { source, hook: { caller, sessionKey } }: SessionStart,
): Promise<boolean> {
  if (source === 'compact' || sessionKey === undefined) return source === 'compact'
  return source === undefined && hasCompaction(db, { agentId: caller.agentId, sessionKey })
}

function readFiles({ folder, settings }: HooksNeeds, { files, includes }: Profile) {
  const fallback = settings().agent.name
  return readIdentity(folder, { files: includes('files') ? files : [], fallback })
}

/** Texts of plugins, secrets and the update notice. */
async function readAdditions(needs: HooksNeeds, { includes }: Profile) {
  const { plugins, secrets, updateNotice } = needs
  const [system, atStart, names] = await Promise.all([
    includes('plugins') ? plugins.listContributions('system') : [],
    includes('plugins') ? plugins.listContributions('session-start') : [],
    includes('secrets') ? secrets.listNames() : [],
  ])
  const notice = includes('update') ? updateNotice() : ''
  const withTarget = (target: string) => (piece: Contribution) => ({ ...piece, target })
  const others = [notice, ...atStart.map(withTarget('session-start')), toSecretNames(names)]
  return { system: system.map(withTarget('system')), others }
}

async function findPeers(
  { sessions }: HooksNeeds,
  { policy, groupAgents }: ReadScope,
  { hook }: SessionStart,
) {
  const { caller, project, sessionKey = null } = hook
  if (project === null) return []
  const { agentId } = caller
  const agentIds = { isolated: [agentId], shared: undefined, group: groupAgents }[policy]
  return sessions.peers({ agentId, agentIds, project, sessionKey, limit: maxPeers })
}

async function measureGap(
  { db, sessions, memory }: HooksNeeds,
  { scope, project }: { readonly scope: ReadScope; readonly project: string | null },
): Promise<string> {
  const { agentId } = scope
  const since = await sessions.findLastEnd(db, { agentId, project })
  if (since === null) return ''
  const [memories, ended] = await Promise.all([
    memory.selection.countSince(db, scope, { since, maxCount: maxCounted }),
    sessions.countEnds(db, { agentId, project: scope.project }, since),
  ])
  return toGapLine(memories, ended)
}
