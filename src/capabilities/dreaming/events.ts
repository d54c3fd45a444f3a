import { defineEvent } from '../../kernel/events/events.ts'
import type { Pass } from './pass.ts'

interface PassEvent extends Pick<Pass, 'agentId' | 'mode' | 'engine' | 'dryRun'> {
  readonly passId: string
}

export const passStarted = defineEvent<PassEvent>('dreaming.pass_started')

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
>('dreaming.pass_ended')
