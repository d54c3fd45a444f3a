import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import { memoryFilePath } from '../../synthesis/index.ts'
import type { SessionStart } from '../hook.ts'
import type { HooksNeeds } from '../needs.ts'
import {
  guidance,
  statusLine,
  toConstraints,
  toGapLine,
  toMemoryLine,
  toPeers,
  toSecretNames,
  toText,
} from '../render.ts'
import type { Profile } from './profile.ts'
import { findCheckpoints, inherit, toQueries, toRecovery } from './recovery.ts'
import { predictMemories, type ScoredMemory, scoreMemories } from './select-memories.ts'
import { readIdentity, readOr } from './workspace-files.ts'

const maxPeers = 6
/** Rendered in a separate section. */
const constraintTypes = new Set(['constraint', 'rule'])
const maxWorkingMemoryLength = 10_000
/** Upper limit of the memory count in the gap line. */
const maxCounted = 1000

/** Collects all parts of the start context before truncation to the budget. */
export async function gather(needs: HooksNeeds, request: SessionStart, profile: Profile) {
  const { project, caller } = request.hook
  const { includes } = profile
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const [files, working, { candidates, constraints }, gap, peers, checkpoints, inherited, added] =
    await Promise.all([
      readFiles(needs, profile),
      readWorkingMemory(needs, scope, profile),
      listCandidates(needs, scope, project),
      includes('gap') ? measureGap(needs, { scope, project }) : '',
      includes('peers') ? findPeers(needs, scope, request) : [],
      findCheckpoints(needs, request.hook),
      includes('parent') ? inherit(needs, request) : '',
      readAdditions(needs, profile),
    ])
  /** `MEMORY.md`, truncated; empty for a missing file. */
  const recentContext = working.text.trim().slice(0, maxWorkingMemoryLength).toWellFormed()
  const isCleared = request.source === 'clear'
  const queries = isCleared ? [] : toQueries(checkpoints.ofProject)
  const best = candidates.slice(0, needs.settings().hooks.sessionStart.recallLimit)
  const injected = includes('memories')
    ? [...best, ...(await predictMemories(needs, scope, { queries, injected: best }))]
    : []
  const ids = new Set(injected.map(({ memory: { id } }) => id))
  return {
    identity: files.identity,
    recentContext,
    injected,
    /** Candidates that are not injected. */
    rest: candidates.filter(({ memory }) => !ids.has(memory.id)),
    problems: [...files.problems, ...working.problems],
    parts: {
      stable: [...(includes('guidance') ? [guidance] : []), ...added.system, ...files.parts],
      status: includes('status') ? statusLine : '',
      gap,
      peers: toPeers(peers),
      workingMemory: recentContext === '' ? '' : `## Working Memory\n\n${recentContext}`,
      memories: injected
        .filter((scored) => !isConstraint(scored))
        .map(({ memory }) => toMemoryLine(memory)),
      added: added.others,
      reserved: [
        toConstraints([
          ...constraints,
          ...candidates.filter(isConstraint).map(({ memory }) => memory.content),
        ]),
        inherited,
        isCleared || !includes('recovery') ? '' : toRecovery(needs, checkpoints),
      ],
    },
  }
}

function readFiles({ folder, settings }: HooksNeeds, { files, includes }: Profile) {
  const fallback = settings().agent.name
  return readIdentity(folder, { files: includes('files') ? files : [], fallback })
}

/** `MEMORY.md` spans all projects, so a token of one project does not get it. */
async function readWorkingMemory(
  { synthesis }: HooksNeeds,
  { agentId, project }: ReadScope,
  { includes }: Profile,
) {
  if (project !== null || !includes('working-memory')) return { text: '', problems: [] }
  return readOr(memoryFilePath(agentId), synthesis.readMemoryFile(agentId))
}

function isConstraint({ memory: { type } }: ScoredMemory): boolean {
  return constraintTypes.has(type)
}

/** Candidates, and constraints that are always included. */
async function listCandidates(needs: HooksNeeds, scope: ReadScope, project: string | null) {
  const { memoryIds: focalIds, constraints } =
    project === null
      ? { memoryIds: [], constraints: [] }
      : await needs.entities.findFocal(scope.agentId, project)
  return { candidates: await scoreMemories(needs, { scope, project, focalIds }), constraints }
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
  const others = [notice, ...atStart.map(toText), toSecretNames(names)]
  return { system: system.map(toText), others }
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
