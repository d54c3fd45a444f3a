import type { Environment } from './environment.ts'
import type { Payload } from './input.ts'

export interface HookEvent {
  readonly path: string
  readonly timeoutMs: (environment: Environment) => number
  /** Replaces the time-out while the stall marker is set. */
  readonly stalledTimeoutMs: number
  /** Whether the harness's own transcript is read and sent along. */
  readonly sendsTranscript: boolean
  /** What is said besides who asks; undefined where there is nothing to ask for. */
  readonly toBody: (payload: Payload, harness: string) => Record<string, unknown> | undefined
}

/** Gemini writes the context of a session start into the user's prompt and drops both on resume. */
const startsWithPrompt: ReadonlySet<string> = new Set(['gemini'])
/** What remains for the way there and back when a prompt has waited for its time. */
const graceMs = 2000
const within = (timeoutMs: number) => () => timeoutMs
const stalledTimeoutMs = 300

export const events = {
  'session-start': {
    path: '/api/hooks/session-start',
    timeoutMs: within(3000),
    stalledTimeoutMs,
    sendsTranscript: false,
    toBody: ({ source, parentSessionKey, harnessAgentId }, harness) => ({
      ...{ source, parentSessionKey, harnessAgentId },
      ...(startsWithPrompt.has(harness) && { claimOnly: true }),
    }),
  },
  'user-prompt-submit': {
    path: '/api/hooks/user-prompt-submit',
    timeoutMs: ({ promptTimeoutMs }) => promptTimeoutMs + graceMs,
    stalledTimeoutMs,
    sendsTranscript: false,
    toBody: ({ prompt, lastAssistantMessage }, harness) =>
      prompt === undefined
        ? undefined
        : {
            ...{ userMessage: prompt, lastAssistantMessage },
            ...(startsWithPrompt.has(harness) && { includeStart: true }),
          },
  },
  'session-end': {
    path: '/api/hooks/session-end',
    timeoutMs: within(15_000),
    stalledTimeoutMs: 5000,
    sendsTranscript: true,
    toBody: ({ reason }) => ({ reason: toEndReason(reason) }),
  },
  'pre-compaction': {
    path: '/api/hooks/pre-compaction',
    timeoutMs: within(3000),
    stalledTimeoutMs,
    sendsTranscript: false,
    toBody: () => ({}),
  },
  'compaction-complete': {
    path: '/api/hooks/compaction-complete',
    timeoutMs: within(15_000),
    stalledTimeoutMs,
    sendsTranscript: false,
    toBody: ({ summary }) => (summary === undefined ? undefined : { summary }),
  },
  checkpoint: {
    path: '/api/hooks/session-checkpoint-extract',
    timeoutMs: within(10_000),
    stalledTimeoutMs,
    sendsTranscript: true,
    toBody: ({ sessionKey }) => (sessionKey === undefined ? undefined : {}),
  },
  synthesis: {
    path: '/api/hooks/synthesis',
    timeoutMs: within(15_000),
    stalledTimeoutMs,
    sendsTranscript: false,
    toBody: () => ({ trigger: 'manual' }),
  },
} as const satisfies Readonly<Record<string, HookEvent>>

export type EventName = keyof typeof events

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(events, text)
}

/** To the daemon a word it does not know is the end of a turn, and every harness has its own words. */
function toEndReason(reason: string | undefined): string {
  if (reason === 'clear') return 'clear'
  return reason === 'resume' ? 'session_switch' : 'session_shutdown'
}

/** How a harness takes an answer: in the field its protocol has for it, as bare text, or not at all. */
type Form =
  | { readonly kind: 'specific'; readonly event: string }
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'text' }

type Forms = Partial<Readonly<Record<EventName, Form>>>

const specific = (event: string): Form => ({ kind: 'specific', event })
const text: Form = { kind: 'text' }
const everything: Forms = {
  ...{ 'session-start': text, 'user-prompt-submit': text },
  ...{ 'pre-compaction': text, synthesis: text },
}

const forms: Readonly<Record<string, Forms>> = {
  'claude-code': {
    'session-start': specific('SessionStart'),
    'user-prompt-submit': specific('UserPromptSubmit'),
    // Its words on how to compact are bare text.
    'pre-compaction': text,
  },
  codex: {
    'session-start': specific('SessionStart'),
    'user-prompt-submit': specific('UserPromptSubmit'),
  },
  gemini: {
    'user-prompt-submit': specific('BeforeAgent'),
  },
  // It takes context at the start of a session alone.
  cursor: { 'session-start': { kind: 'field', field: 'additional_context' } },
}

/** What goes to stdout; empty where there is nothing to tell. */
export function renderReply(
  harness: string,
  event: EventName,
  reply: Readonly<Record<string, unknown>>,
): string {
  const form = (forms[harness] ?? everything)[event]
  const context = toContext(event, reply)
  if (form === undefined || context === '') return ''
  if (form.kind === 'text') return context.endsWith('\n') ? context : `${context}\n`
  if (form.kind === 'field') return `${JSON.stringify({ [form.field]: context })}\n`
  const hookSpecificOutput = { hookEventName: form.event, additionalContext: context }
  return `${JSON.stringify({ hookSpecificOutput })}\n`
}

const fieldsOf: Partial<Readonly<Record<EventName, readonly string[]>>> = {
  // The time changes with every turn, so it stands outside the envelope.
  'session-start': ['inject'],
  'user-prompt-submit': ['clockContext', 'startContext', 'inject'],
  'pre-compaction': ['guidelines'],
  synthesis: ['prompt'],
}

function toContext(event: EventName, reply: Readonly<Record<string, unknown>>): string {
  const context = (fieldsOf[event] ?? []).map((field) => reply[field])
  return context.filter((part) => typeof part === 'string' && part.trim() !== '').join('\n')
}
