import type { Caller } from '../../kernel/auth/caller.ts'
import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'

/** Carries a hash in place of the session key, and no words of the prompt. */
export const promptSubmitted = defineEvent<{
  readonly agentId: string
  readonly harness: string
  /** Null where the harness has no key. */
  readonly session: string | null
  readonly engine: string
  readonly latencyMs: number
}>('prompt.submitted')

/** Carries the words of the prompt. Emitted for prompts that search. */
export const promptAnswered = defineEvent<{
  readonly caller: Caller
  readonly sessionKey: string | undefined
  readonly project: string | null
  readonly text: string
  readonly terms: readonly string[]
  readonly engine: string
  readonly shown: readonly {
    readonly id: string
    readonly text: string
    readonly score: number
    readonly source: string
  }[]
  readonly latencyMs: number
}>('prompt.answered')

interface SkillInvoked {
  readonly agentId: string
  readonly harness: string
  readonly sessionKey: string | null
  readonly skillName: string
  readonly toolUseId: string | null
  readonly latencyMs: number | null
  readonly success: boolean
  readonly errorText: string | null
  readonly createdAt: string
}

export const skillInvoked = defineEvent<SkillInvoked>('skill.invoked', {
  stream: {
    toPublic: ({ agentId, harness, latencyMs, skillName, success }) => ({
      agentId,
      harness,
      skillName,
      success,
      latencyMs,
    }),
    isVisible: isOfOwnAgent,
  },
})
