import { isOfOwnAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { Pass } from './pass.ts'

interface PassEvent extends Pick<Pass, 'agentId' | 'mode' | 'engine' | 'dryRun'> {
  readonly passId: string
}

const toPublic = ({ agentId, dryRun, engine, mode, passId }: PassEvent) => ({
  agentId,
  id: passId,
  mode,
  engine,
  dryRun,
})

export const passStarted = defineEvent<PassEvent>('dreaming.pass_started', {
  stream: { toPublic, isVisible: isOfOwnAgent },
})

/** With counts and costs, without a word of the evidence. */
export const passEnded = defineEvent<
  PassEvent &
    Pick<
      Pass,
      | 'status'
      | 'disposition'
      | 'inputTokens'
      | 'outputTokens'
      | 'cacheReadTokens'
      | 'cacheCreationTokens'
      | 'costMicros'
      | 'appliedCount'
    > & { readonly durationMs: number }
>('dreaming.pass_ended', {
  stream: {
    toPublic: (pass) => ({ ...toPublic(pass), status: pass.status }),
    isVisible: isOfOwnAgent,
  },
})
