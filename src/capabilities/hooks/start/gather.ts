import type { ReadScope } from '../../../kernel/db/read-scope.ts'
import type { HooksNeeds } from '../needs.ts'
import { readMemory } from '../synthesis/memory-file.ts'
import type { Parts } from './assemble.ts'
import { inherit } from './inherit.ts'
import { predictMemories } from './predict.ts'
import { findCheckpoints, toQueries, toRecovery } from './recovery.ts'
import type { SessionStart } from './request.ts'
import { type Weighed, weighMemories } from './select-memories.ts'
import {
  guidance,
  statusLine,
  toConstraints,
  toGapLine,
  toMemoryLine,
  toPeers,
  toSecretNames,
  toText,
} from './texts.ts'
import { type Identity, readIdentity } from './workspace-files.ts'

const mostPeers = 6
/** Told in a section of their own. */
const constraintTypes = new Set(['constraint', 'rule'])
const workingMemoryCharacters = 10_000
/** A gap is counted no further. */
const mostCounted = 1000

export interface Gathered {
  readonly identity: Identity
  /** `MEMORY.md` as it is, bounded; empty where there is none. */
  readonly recentContext: string
  readonly told: readonly Weighed[]
  /** What was weighed and is not told. */
  readonly rest: readonly Weighed[]
  readonly parts: Parts
}

/** All that a beginning may tell, before it is cut to its budget. */
export async function gather(needs: HooksNeeds, request: SessionStart): Promise<Gathered> {
  const { project } = request.hook
  const { sessionStart } = needs.settings().hooks
  const scope = await needs.agents.readScopeOf(needs.db, request.hook.caller)
  const [described, working, chosen, gap, peers, checkpoints, inherited, added] = await Promise.all(
    [
      readIdentity(needs.folder, needs.settings().agent.name),
      sessionStart.includeRecentContext ? readMemory(needs.folder, scope.agentId) : '',
      choose(needs, scope, project),
      measureGap(needs, { scope, project }),
      project === null ? [] : needs.sessions.peers({ ...toPeersOf(scope, request), project }),
      findCheckpoints(needs, request),
      inherit(needs, request),
      readAdditions(needs),
    ],
  )
  const recentContext = working.trim().slice(0, workingMemoryCharacters).toWellFormed()
  const { candidates, constraints } = chosen
  const best = candidates.slice(0, sessionStart.recallLimit)
  const queries = request.source === 'clear' ? [] : toQueries(checkpoints.ofProject)
  const predicted = await predictMemories(needs, scope, { queries, told: best })
  const told = [...best, ...predicted]
  const ids = new Set(told.map(({ memory: { id } }) => id))
  const isConstraint = ({ memory: { type } }: Weighed) => constraintTypes.has(type)
  return {
    ...{ identity: described.identity, recentContext, told },
    rest: candidates.filter(({ memory }) => !ids.has(memory.id)),
    parts: {
      stable: [
        ...[guidance, ...added.system],
        ...(sessionStart.includeIdentity ? described.parts : []),
      ],
      ...{ status: statusLine, gap, peers: toPeers(peers) },
      workingMemory: recentContext === '' ? '' : `## Working Memory\n\n${recentContext}`,
      memories: told.filter((one) => !isConstraint(one)).map(({ memory }) => toMemoryLine(memory)),
      added: [needs.updateNotice(), ...added.atStart, toSecretNames(added.secrets)],
      reserved: [
        toConstraints([
          ...constraints,
          ...candidates.filter(isConstraint).map(({ memory }) => memory.content),
        ]),
        inherited,
        request.source === 'clear' ? '' : toRecovery(needs, checkpoints),
      ],
    },
  }
}

/** What is weighed, and what must be heeded whatever is told. */
async function choose(needs: HooksNeeds, scope: ReadScope, project: string | null) {
  const focal =
    project === null ? undefined : await needs.entities.findFocal(scope.agentId, project)
  const focalIds = focal?.memoryIds ?? []
  const candidates = await weighMemories(needs, { scope, project, focalIds })
  return { candidates, constraints: focal?.constraints ?? [] }
}

/** What others have to say at a beginning. */
async function readAdditions({ plugins, secrets }: HooksNeeds) {
  const [system, atStart, names] = await Promise.all([
    plugins.listContributions('system'),
    plugins.listContributions('session-start'),
    secrets.listNames(),
  ])
  return { system: system.map(toText), atStart: atStart.map(toText), secrets: names }
}

function toPeersOf({ policy, groupAgents }: ReadScope, { hook }: SessionStart) {
  const { agentId } = hook.caller
  const agentIds = { isolated: [agentId], shared: undefined, group: groupAgents }[policy]
  return { agentId, agentIds, sessionKey: hook.sessionKey ?? null, limit: mostPeers }
}

async function measureGap(
  { db, sessions, memory }: HooksNeeds,
  { scope, project }: { readonly scope: ReadScope; readonly project: string | null },
): Promise<string> {
  const { agentId } = scope
  const since = await sessions.findLastEnd(db, { agentId, project })
  if (since === null) return ''
  const [memories, ended] = await Promise.all([
    memory.selection.countSince(db, scope, { since, most: mostCounted }),
    sessions.countEnds(db, agentId, since),
  ])
  return toGapLine(memories, ended)
}
