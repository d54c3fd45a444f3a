import type { Payload } from './input.ts'

type Fields = Readonly<Record<string, unknown>>

export interface HookEvent {
  readonly path: string
  /** Milliseconds. Default: the prompt time-out of the environment and a grace period. */
  readonly timeoutMs?: number
  /** Replaces the time-out while the stall marker is set. Default: 300. */
  readonly stalledTimeoutMs?: number
  /** Whether the transcript of the harness is read and sent. */
  readonly sendsTranscript?: boolean
  /** Additional fields of the body. Undefined if the payload lacks a required field. */
  readonly toBody: (payload: Payload, harness: string) => Fields | undefined
  /** The fields of the reply that are printed, in this order. */
  readonly printed?: readonly string[]
}

/** Gemini writes the context of a session start into the user's prompt and drops both on resume. */
const startsWithPrompt: ReadonlySet<string> = new Set(['gemini'])

export const events = {
  'session-start': {
    path: '/api/hooks/session-start',
    timeoutMs: 3000,
    toBody: ({ source, parentSessionKey, harnessAgentId }, harness) => ({
      source,
      parentSessionKey,
      harnessAgentId,
      ...(startsWithPrompt.has(harness) && { claimOnly: true }),
    }),
    printed: ['inject'],
  },
  'user-prompt-submit': {
    path: '/api/hooks/user-prompt-submit',
    toBody: ({ prompt: userMessage, lastAssistantMessage }, harness) =>
      userMessage === undefined
        ? undefined
        : {
            userMessage,
            lastAssistantMessage,
            ...(startsWithPrompt.has(harness) && { includeStart: true }),
          },
    // The time changes with every turn, so it is outside the envelope.
    printed: ['clockContext', 'startContext', 'inject', 'notificationContext'],
  },
  'session-end': {
    path: '/api/hooks/session-end',
    timeoutMs: 15_000,
    stalledTimeoutMs: 5000,
    sendsTranscript: true,
    toBody: ({ reason }) => ({ reason: toEndReason(reason) }),
  },
  'pre-compaction': {
    path: '/api/hooks/pre-compaction',
    timeoutMs: 3000,
    toBody: () => ({}),
    printed: ['guidelines'],
  },
  'compaction-complete': {
    path: '/api/hooks/compaction-complete',
    timeoutMs: 15_000,
    toBody: ({ summary }) => (summary === undefined ? undefined : { summary }),
  },
  checkpoint: {
    path: '/api/hooks/session-checkpoint-extract',
    timeoutMs: 10_000,
    sendsTranscript: true,
    toBody: ({ sessionKey }) => (sessionKey === undefined ? undefined : {}),
  },
  synthesis: {
    path: '/api/hooks/synthesis',
    timeoutMs: 15_000,
    toBody: () => ({ trigger: 'manual' }),
    printed: ['prompt'],
  },
} as const satisfies Readonly<Record<string, HookEvent>>

export type EventName = keyof typeof events

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(events, text)
}

/** The daemon treats an unknown reason as the end of a turn, and each harness has its own reasons. */
function toEndReason(reason: string | undefined): string {
  if (reason === 'clear') return 'clear'
  return reason === 'resume' ? 'session_switch' : 'session_shutdown'
}

type Format = (context: string) => object | string

/** The JSON in which most harnesses read context. */
const hookOutput =
  (hookEventName: string): Format =>
  (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } })
const plainText: Format = (context) => context

/** The output format of each harness and event. Other events of these harnesses print nothing. */
const formats: Readonly<Record<string, Partial<Readonly<Record<EventName, Format>>>>> = {
  'claude-code': {
    'session-start': hookOutput('SessionStart'),
    'user-prompt-submit': hookOutput('UserPromptSubmit'),
    'pre-compaction': plainText,
  },
  codex: {
    'session-start': hookOutput('SessionStart'),
    'user-prompt-submit': hookOutput('UserPromptSubmit'),
  },
  gemini: { 'user-prompt-submit': hookOutput('BeforeAgent') },
  cursor: { 'session-start': (context) => ({ additional_context: context }) },
}

/** The text for stdout; empty without context. Other harnesses read plain text. */
export function renderReply(harness: string, name: EventName, reply: Fields): string {
  const { printed = [] }: HookEvent = events[name]
  const parts = printed.map((field) => reply[field])
  const context = parts.filter((part) => typeof part === 'string' && part.trim() !== '').join('\n')
  const known = formats[harness]
  const format = known ? known[name] : plainText
  if (format === undefined || context === '') return ''
  const output = format(context)
  if (typeof output !== 'string') return `${JSON.stringify(output)}\n`
  return output.endsWith('\n') ? output : `${output}\n`
}
