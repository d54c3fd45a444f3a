import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { skillInvoked } from './events.ts'
import { enter, type HookRequest, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import type { skillBody } from './schemas.ts'

export type SkillInvocation = HookRequest<typeof skillBody>

const maxNameLength = 200
const maxErrorLength = 2000
const maxPlaceLength = 1000

/** Saves the use of a skill once. A repeated call emits no event. */
export async function recordSkill(needs: HooksNeeds, invocation: SkillInvocation) {
  const { hook, success, errorText } = invocation
  const entry = await enter(needs, hook, { noOp: noOps.skillInvocation })
  if (entry.status === 'idle') return entry.reply
  const used = {
    agentId: hook.caller.agentId,
    harness: hook.harness,
    skillName: sliceText(invocation.skillName, 0, maxNameLength),
    toolUseId: invocation.toolUseId ?? null,
    latencyMs: invocation.latencyMs ?? null,
    errorText:
      errorText === undefined ? null : sliceText(redactStrictly(errorText).text, 0, maxErrorLength),
    createdAt: invocation.createdAt ?? needs.host.now().toISOString(),
  }
  const { sessionKey = '' } = hook
  const row = {
    ...used,
    id: needs.host.newId(),
    sessionKey,
    success: success ? 1 : 0,
    cwd: toPlace(invocation.cwd),
    origin: toPlace(invocation.origin),
  } as const
  if (await needs.skillInvocations.save(row))
    needs.events.emit(skillInvoked, { ...used, success, sessionKey: hook.sessionKey ?? null })
  return { recorded: true as const }
}

function toPlace(text: string | undefined): string | null {
  return text === undefined ? null : sliceText(redactStrictly(text).text, 0, maxPlaceLength)
}
