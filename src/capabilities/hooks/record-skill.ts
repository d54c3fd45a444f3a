import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { skillInvoked } from './events.ts'
import { enter, type Hook, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'

import { insertInvocation } from './store.ts'

export interface SkillInvocation {
  readonly hook: Hook
  readonly skillName: string
  readonly toolUseId?: string | undefined
  readonly latencyMs?: number | undefined
  readonly success: boolean
  readonly errorText?: string | undefined
  readonly createdAt?: string | undefined
}

const nameCharacters = 200
const errorCharacters = 2000

/** Keeps that a skill was used, once however often it is told; only the first time is announced. */
export async function recordSkill(needs: HooksNeeds, invoked: SkillInvocation) {
  const { hook, success } = invoked
  const entry = await enter(needs, hook, { noOp: noOps.skillInvocation })
  if (entry.status === 'idle') return entry.reply
  const used = {
    ...{ agentId: hook.caller.agentId, harness: hook.harness },
    skillName: invoked.skillName.slice(0, nameCharacters).toWellFormed(),
    toolUseId: invoked.toolUseId ?? null,
    latencyMs: invoked.latencyMs ?? null,
    errorText: toShown(invoked.errorText),
    createdAt: invoked.createdAt ?? needs.host.now().toISOString(),
  }
  const { sessionKey = '' } = hook
  const row = { ...used, id: needs.host.newId(), sessionKey, success: success ? 1 : 0 } as const
  if (await insertInvocation(needs.db, row))
    needs.events.emit(skillInvoked, { ...used, success, sessionKey: hook.sessionKey ?? null })
  return { recorded: true as const }
}

function toShown(errorText: string | undefined): string | null {
  if (errorText === undefined) return null
  return redactStrictly(errorText).text.slice(0, errorCharacters).toWellFormed()
}
