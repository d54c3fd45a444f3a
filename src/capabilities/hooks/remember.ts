import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { type Remembered, type RememberRequest, toRememberReply } from '../memory/index.ts'
import { enter, type Hook } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { noOps } from './no-op.ts'

export interface RememberHook {
  readonly hook: Hook
  readonly request: RememberRequest
}

/** Keeps a memory as the API does; the session's window notes that it did. */
export async function rememberHook(needs: HooksNeeds, { hook, request }: RememberHook) {
  const entry = await enter(needs, hook, { noOp: noOps.remember, refusalDetails: {} })
  if (entry.status === 'idle') return entry.reply
  const { caller, harness, project, sessionKey } = hook
  await needs.agents.register(needs.db, caller)
  const remembered: Remembered = await needs.memory.remember(caller, {
    ...request,
    who: request.who ?? harness,
    project: request.project ?? project ?? undefined,
    runtimePath: request.runtimePath ?? hook.runtimePath ?? undefined,
  })
  if (sessionKey !== undefined) {
    const noting = { agentId: caller.agentId, sessionKey, harness, project }
    await needs.sessions.recordActivity(needs.db, noting, {
      remembered: toCleanText(remembered.memory.content),
    })
  }
  return toRememberReply(remembered)
}
