import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, outOfScope } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type RuntimePath, runtimePaths, toBareKey } from '../sessions/index.ts'
import type { HooksNeeds } from './needs.ts'

/** The common input of all hooks. */
export interface Hook {
  readonly caller: Caller
  readonly harness: string
  /** Bare; undefined where the harness has none. */
  readonly sessionKey: string | undefined
  readonly project: string | null
  readonly runtimePath: RuntimePath | null
  /** Sent by the service itself: the hook has no effect and an empty reply. */
  readonly internal: boolean
}

interface Sent {
  readonly caller: Caller
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: {
    readonly harness: string
    readonly project?: string | undefined
    readonly runtimePath?: string | undefined
  }
}

export function toHook({ caller, headers, body }: Sent): Hook {
  const path = [headers['x-svc-runtime-path'], body.runtimePath].find(isRuntimePath)
  const project = body.project ?? caller.scope.project ?? null
  assertInProject(caller, project)
  assertOwnSession(caller)
  return {
    ...{ caller, harness: body.harness, project, runtimePath: path ?? null },
    sessionKey: toBareKey(caller.sessionKey),
    internal: headers['x-svc-no-hooks'] === '1',
  }
}

type Entry<NoOp> =
  | { readonly status: 'idle'; readonly reply: NoOp & { readonly bypassed?: true } }
  | {
      readonly status: 'entered'
      readonly existedBefore: boolean
      readonly warnings: readonly string[]
    }

interface EnterOptions<NoOp> {
  readonly noOp: NoOp
  /** Further fields of the refusal. Default: `noOp`. */
  readonly refusalDetails?: object
  readonly announcePresence?: boolean
}

/** Claims the session for the path of the hook. `idle` means that the hook must not run. */
export async function enter<NoOp extends object>(
  { sessions }: Pick<HooksNeeds, 'sessions'>,
  hook: Hook,
  { noOp, refusalDetails: refused = noOp, announcePresence = false }: EnterOptions<NoOp>,
): Promise<Entry<NoOp>> {
  if (hook.internal) return { status: 'idle', reply: noOp }
  const { caller, harness, project, runtimePath, sessionKey } = hook
  const { agentId } = caller
  if (sessionKey === undefined) {
    const seen = { agentId, harness, project, runtimePath, sessionKey: null, provider: null }
    if (announcePresence) await sessions.recordPresence(seen)
    return { status: 'entered', existedBefore: false, warnings: [] }
  }
  const entered = await sessions.enter({
    ...{ agentId, sessionKey, harness, project, runtimePath, announcePresence },
  })
  if (entered.status === 'refused') throw claimedElsewhere(entered.claimedBy, refused)
  if (entered.bypassed) return { status: 'idle', reply: { ...noOp, bypassed: true } }
  return { status: 'entered', existedBefore: entered.existedBefore, warnings: entered.warnings }
}

export function claimedElsewhere(claimedBy: string | null, more: object): Refusal {
  return new Refusal('conflict', 'session_claimed', `session claimed by ${claimedBy} path`, {
    ...{ claimedBy, duplicateRuntimePath: true, ...more },
  })
}

function isRuntimePath(written: unknown): written is RuntimePath {
  return runtimePaths.some((path) => path === written)
}

/** Throws if the session key names another agent than the token. */
function assertOwnSession({ scope, sessionKey }: Caller): void {
  const named = /^agent:(?<id>[^:]+):/.exec(toBareKey(sessionKey) ?? '')?.groups?.['id']
  if (scope.agent !== undefined && named !== undefined && named !== scope.agent)
    throw outOfScope('agent', scope.agent)
}

/** What a hook answers when it has nothing to do: each field that a client reads, empty. */
export const noOps = {
  sessionStart: { inject: '', stableSystemPrompt: '', dynamicContext: '', memories: [] },
  userPromptSubmit: { inject: '', dynamicContext: '', memoryCount: 0 },
  sessionEnd: { memoriesSaved: 0 },
  remember: { success: true, memories: [] },
  recall: {
    ...{ results: [], memories: [], count: 0, method: 'hybrid' },
    meta: { totalReturned: 0, hasSupplementary: false, noHits: true },
    message: 'No matching memories found.',
  },
  preCompaction: { summaryPrompt: '', guidelines: '', instructions: '' },
  compactionComplete: { success: true },
  checkpointExtract: { skipped: true },
  skillInvocation: { recorded: false },
} as const
