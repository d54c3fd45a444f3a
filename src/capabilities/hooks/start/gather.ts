import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import { memoryFilePath } from '../../synthesis/index.ts'
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
import type { Parts } from './assemble.ts'
import type { Profile } from './profile.ts'
import { findCheckpoints, inherit, toQueries, toRecovery } from './recovery.ts'

import type { SessionStart } from './request.ts'
import { predictMemories, type ScoredMemory, scoreMemories } from './select-memories.ts'
import { type Identity, type ReadFile, readIdentity, readOr } from './workspace-files.ts'

const maxPeers = 6
/** Rendered in a separate section. */
const constraintTypes = new Set(['constraint', 'rule'])
const workingMemoryCharacters = 10_000
/** Upper limit of the memory count in the gap line. */
const maxCounted = 1000

export interface Gathered {
  readonly identity: Identity
  /** `MEMORY.md` as it is, bounded; empty where there is none. */
  readonly recentContext: string
  readonly injected: readonly ScoredMemory[]
  /** Candidates that are not injected. */
  readonly rest: readonly ScoredMemory[]
  readonly parts: Parts
  /** Reasons for missing parts, each in a sentence. */
  readonly problems: readonly string[]
}

/** Collects all parts of the start context before truncation to the budget. */
export async function gather(
  needs: HooksNeeds,
  request: SessionStart,
  profile: Profile,
): Promise<Gathered> {
  const { project, caller } = request.hook
  const { includes: tells } = profile
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const [described, working, chosen, gap, peers, checkpoints, inherited, added] = await Promise.all(
    [
      describe(needs, profile),
      readWorkingMemory(needs, scope, profile),
      choose(needs, scope, project),
      tells('gap') ? measureGap(needs, { scope, project }) : '',
      tells('peers') ? findPeers(needs, scope, request) : [],
      findCheckpoints(needs, request),
      tells('parent') ? inherit(needs, request) : '',
      readAdditions(needs, profile),
    ],
  )
  const recentContext = working.text.trim().slice(0, workingMemoryCharacters).toWellFormed()
  const { candidates, constraints } = chosen
  const isCleared = request.source === 'clear'
  const queries = isCleared ? [] : toQueries(checkpoints.ofProject)
  const told = tells('memories') ? await pick(needs, scope, { candidates, queries }) : []
  const ids = new Set(told.map(({ memory: { id } }) => id))
  return {
    ...{ identity: described.identity, recentContext, injected: told },
    problems: [...described.problems, ...working.problems],
    rest: candidates.filter(({ memory }) => !ids.has(memory.id)),
    parts: {
      stable: [...(tells('guidance') ? [guidance] : []), ...added.system, ...described.parts],
      ...{ status: tells('status') ? statusLine : '', gap, peers: toPeers(peers) },
      workingMemory: recentContext === '' ? '' : `## Working Memory\n\n${recentContext}`,
      memories: told.filter((one) => !isConstraint(one)).map(({ memory }) => toMemoryLine(memory)),
      added: added.others,
      reserved: [
        toConstraints([
          ...constraints,
          ...candidates.filter(isConstraint).map(({ memory }) => memory.content),
        ]),
        inherited,
        isCleared || !tells('recovery') ? '' : toRecovery(needs, checkpoints),
      ],
    },
  }
}

function describe({ folder, settings }: HooksNeeds, { files, includes: tells }: Profile) {
  const fallback = settings().agent.name
  return readIdentity(folder, { files: tells('files') ? files : [], fallback })
}

/** `MEMORY.md` spans all projects, so a token of one project does not get it. */
async function readWorkingMemory(
  { synthesis }: HooksNeeds,
  { agentId, project }: ReadScope,
  { includes: tells }: Profile,
): Promise<ReadFile> {
  if (project !== null || !tells('working-memory')) return { text: '', problems: [] }
  return readOr(memoryFilePath(agentId), synthesis.readMemoryFile(agentId))
}

function isConstraint({ memory: { type } }: ScoredMemory): boolean {
  return constraintTypes.has(type)
}

interface Choice {
  readonly candidates: readonly ScoredMemory[]
  readonly queries: readonly string[]
}

/** The best candidates and the predicted memories. */
async function pick(needs: HooksNeeds, scope: ReadScope, { candidates, queries }: Choice) {
  const best = candidates.slice(0, needs.settings().hooks.sessionStart.recallLimit)
  return [...best, ...(await predictMemories(needs, scope, { queries, injected: best }))]
}

/** Candidates, and constraints that are always included. */
async function choose(needs: HooksNeeds, scope: ReadScope, project: string | null) {
  const focal =
    project === null ? undefined : await needs.entities.findFocal(scope.agentId, project)
  const focalIds = focal?.memoryIds ?? []
  const candidates = await scoreMemories(needs, { scope, project, focalIds })
  return { candidates, constraints: focal?.constraints ?? [] }
}

/** Texts of plugins, secrets and the update notice. */
async function readAdditions(needs: HooksNeeds, { includes: tells }: Profile) {
  const { plugins, secrets, updateNotice } = needs
  const [system, atStart, names] = await Promise.all([
    tells('plugins') ? plugins.listContributions('system') : [],
    tells('plugins') ? plugins.listContributions('session-start') : [],
    tells('secrets') ? secrets.listNames() : [],
  ])
  const notice = tells('update') ? updateNotice() : ''
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
    memory.selection.countSince(db, scope, { since, most: maxCounted }),
    sessions.countEnds(db, { agentId, project: scope.project }, since),
  ])
  return toGapLine(memories, ended)
}
