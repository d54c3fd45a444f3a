import { enter, type Hook } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { noOps } from './no-op.ts'

export interface SkillInvocation {
  readonly hook: Hook
  readonly skillName: string
  readonly toolUseId?: string | undefined
  readonly latencyMs?: number | undefined
  readonly success: boolean
  readonly errorText?: string | undefined
  readonly createdAt?: string | undefined
}

/** Announces that a skill was used; who counts them drops repeats of the same use. */
export async function recordSkill(needs: HooksNeeds, invoked: SkillInvocation) {
  const { hook, skillName, success, createdAt } = invoked
  const entry = await enter(needs, hook, { noOp: noOps.skillInvocation })
  if (entry.status === 'idle') return entry.reply
  needs.events.emit('skill.invoked', {
    ...{ agentId: hook.caller.agentId, harness: hook.harness, skillName, success },
    sessionKey: hook.sessionKey ?? null,
    toolUseId: invoked.toolUseId ?? null,
    latencyMs: invoked.latencyMs ?? null,
    errorText: invoked.errorText?.slice(0, 2000) ?? null,
    createdAt: createdAt ?? needs.host.now().toISOString(),
  })
  return { recorded: true as const }
}
