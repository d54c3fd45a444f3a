import { realpath } from 'node:fs/promises'
import type { ReadScope } from '../../../kernel/db/read-scope.ts'
import { redactStrictly } from '../../../kernel/hygiene/redact.ts'
import type { HooksNeeds } from '../needs.ts'
import { readMemory } from '../synthesis/memory-file.ts'
import type { Parts } from './assemble.ts'
import { inherit } from './inherit.ts'
import type { SessionStart } from './request.ts'
import { type Weighed, weighMemories } from './select-memories.ts'
import { guidance, statusLine, toGapLine, toMemoryLine, toPeers } from './texts.ts'
import { type Identity, readIdentity } from './workspace-files.ts'

const mostPeers = 6
const workingMemoryCharacters = 10_000
/** A gap is counted no further. */
const mostCounted = 1000
/** A checkpoint of another session in the project is of use for so long. */
const recoveryMs = 4 * 3_600_000

export interface Gathered {
  readonly identity: Identity
  /** `MEMORY.md` as it is, bounded; empty where there is none. */
  readonly recentContext: string
  readonly candidates: readonly Weighed[]
  readonly parts: Parts
}

/** All that a beginning may tell, before it is cut to its budget. */
export async function gather(needs: HooksNeeds, request: SessionStart): Promise<Gathered> {
  const { hook } = request
  const { sessionStart } = needs.settings().hooks
  const { caller, project } = hook
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const [described, working, candidates, gap, peers, recovery, inherited] = await Promise.all([
    readIdentity(needs.folder, needs.settings().agent.name),
    sessionStart.includeRecentContext ? readMemory(needs.folder, caller.agentId) : '',
    weighMemories(needs, { scope, project }),
    measureGap(needs, { scope, project }),
    project === null ? [] : needs.sessions.peers({ ...toPeersOf(scope, request), project }),
    request.source === 'clear' ? '' : recover(needs, request),
    inherit(needs, request),
  ])
  const recentContext = working.trim().slice(0, workingMemoryCharacters).toWellFormed()
  return {
    ...{ identity: described.identity, recentContext, candidates },
    parts: {
      stable: sessionStart.includeIdentity ? [guidance, ...described.parts] : [guidance],
      ...{ status: statusLine, gap, peers: toPeers(peers) },
      workingMemory: recentContext === '' ? '' : `## Working Memory\n\n${recentContext}`,
      memories: candidates
        .slice(0, sessionStart.recallLimit)
        .map(({ memory }) => toMemoryLine(memory)),
      reserved: [inherited, recovery],
    },
  }
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

/** Where the session was, by its own last checkpoint, else by the last one of its project. */
async function recover(needs: HooksNeeds, { hook }: SessionStart): Promise<string> {
  const { db, host, transcripts, settings } = needs
  const { caller, sessionKey, project } = hook
  const { agentId } = caller
  const { enabled, recoveryBudgetChars } = settings().continuity
  if (!enabled) return ''
  const own = sessionKey && (await transcripts.findCheckpoint(db, { agentId, sessionKey }))
  const since = new Date(host.now().getTime() - recoveryMs).toISOString()
  const paths = project === null ? [] : [...new Set([project, await resolve(project)])]
  const found = own || (await transcripts.findProjectCheckpoint(db, { agentId, paths, since }))
  if (!found) return ''
  const digest = redactStrictly(found.digest).text.slice(0, recoveryBudgetChars).toWellFormed()
  return `## Session Recovery Context\n\n${digest}`
}

/** As it is written where nothing of the name is there. */
async function resolve(project: string): Promise<string> {
  try {
    return await realpath(project.replaceAll('\0', ''))
  } catch {
    return project
  }
}
