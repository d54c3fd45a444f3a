import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, outOfScope } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { type RuntimePath, runtimePaths, toBareKey } from '../sessions/index.ts'
import type { HooksNeeds } from './needs.ts'
import type { CommonBody, sessionStartBody } from './schemas.ts'

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

/** The fields of a body with its common fields replaced by `hook`. */
export type HookRequest<Body extends z.ZodType> = Relaxed<
  Omit<z.output<Body>, keyof CommonBody>
> & { readonly hook: Hook }

/** Fields that may be undefined are optional, and clean texts may be plain. */
type Relaxed<Fields> = {
  readonly [Name in keyof Fields as undefined extends Fields[Name]
    ? never
    : Name]: Fields[Name] extends string ? string : Fields[Name]
} & {
  readonly [Name in keyof Fields as undefined extends Fields[Name]
    ? Name
    : never]?: Fields[Name] extends string | undefined ? string | undefined : Fields[Name]
}

export type SessionStart = HookRequest<typeof sessionStartBody>

export interface HookCall<Body> {
  readonly caller: Caller
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Body
}

export function toHook({ caller, headers, body }: HookCall<CommonBody>): Hook {
  const path = [headers['x-svc-runtime-path'], body.runtimePath].find(isRuntimePath)
  const project = body.project ?? caller.scope.project ?? null
  assertInProject(caller, project)
  assertOwnSession(caller)
  return {
    caller,
    harness: body.harness,
    project,
    runtimePath: path ?? null,
    sessionKey: toBareKey(caller.sessionKey),
    internal: headers['x-svc-no-hooks'] === '1',
  }
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
  { noOp, refusalDetails = noOp, announcePresence = false }: EnterOptions<NoOp>,
) {
  const idle = (reply: NoOp & { readonly bypassed?: true }) => ({ status: 'idle', reply }) as const
  const enteredWith = (existedBefore: boolean, warnings: readonly string[]) =>
    ({ status: 'entered', existedBefore, warnings }) as const
  if (hook.internal) return idle(noOp)
  const { caller, harness, project, runtimePath, sessionKey } = hook
  const presence = { agentId: caller.agentId, harness, project, runtimePath }
  if (sessionKey === undefined) {
    if (announcePresence)
      await sessions.recordPresence({ ...presence, sessionKey: null, provider: null })
    return enteredWith(false, [])
  }
  const entered = await sessions.enter({ ...presence, sessionKey, announcePresence })
  if (entered.status === 'refused') throw claimedElsewhere(entered.claimedBy, refusalDetails)
  if (entered.bypassed) return idle({ ...noOp, bypassed: true })
  return enteredWith(entered.existedBefore, entered.warnings)
}

export function claimedElsewhere(claimedBy: string | null, details: object): Refusal {
  return new Refusal('conflict', 'session_claimed', `session claimed by ${claimedBy} path`, {
    claimedBy,
    duplicateRuntimePath: true,
    ...details,
  })
}

function isRuntimePath(value: unknown): value is RuntimePath {
  return runtimePaths.some((path) => path === value)
}

/** Throws if the session key names another agent than the token. */
function assertOwnSession({ scope, sessionKey }: Caller): void {
  const named = /^agent:(?<id>[^:]+):/.exec(toBareKey(sessionKey) ?? '')?.groups?.['id']
  if (scope.agent !== undefined && named !== undefined && named !== scope.agent)
    throw outOfScope('agent', scope.agent)
}

/** The reply of a hook without effect: each field that clients read, empty. */
export const noOps = {
  sessionStart: { inject: '', stableSystemPrompt: '', dynamicContext: '', memories: [] },
  userPromptSubmit: { inject: '', dynamicContext: '', memoryCount: 0 },
  notifications: { inject: '' },
  sessionEnd: { memoriesSaved: 0 },
  remember: { success: true, memories: [] },
  recall: {
    results: [],
    memories: [],
    count: 0,
    method: 'hybrid',
    meta: { totalReturned: 0, hasSupplementary: false, noHits: true },
    message: 'No matching memories found.',
  },
  preCompaction: { summaryPrompt: '', guidelines: '', instructions: '' },
  compactionComplete: { success: true },
  checkpointExtract: { skipped: true },
  skillInvocation: { recorded: false },
} as const
