import { isOfReadableAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'

/** Carries a hash in place of the session key. */
interface SessionEvent {
  readonly agentId: string
  readonly harness: string
  /** Null where the harness has no key. */
  readonly session: string | null
  readonly project?: string | null
}

const stream = {
  toPublic: ({ agentId, harness, session }: SessionEvent) => ({ agentId, harness, session }),
  isVisible: isOfReadableAgent,
}

export const sessionStarted = defineEvent<SessionEvent>('session.started', { stream })

/** Emitted once per session. A harness that fires at each turn emits `session.turned`. */
export const sessionEnded = defineEvent<SessionEvent & { readonly reason: string | null }>(
  'session.ended',
  { stream },
)

/** A session appears, disappears or changes. Followers look up what they may read. */
export const presenceChanged = defineEvent<{ readonly agentId: string }>('presence.changed')

export const sessionTurnEnded = defineEvent<
  SessionEvent & { readonly reason: string; readonly prompts: number }
>('session.turned')
