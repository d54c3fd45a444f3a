import type { EventName } from './events.ts'

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
