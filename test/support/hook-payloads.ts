/**
 * The payload that each harness sends to its hooks, by its public documentation, and the expected
 * request.
 */
export interface HookCase {
  readonly harness: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** The output when the daemon replies with context. */
  readonly output: 'nothing' | 'text' | Readonly<Record<string, unknown>>
}

export const context = '<svc-memory-context>\nShe likes green tea.\n</svc-memory-context>\n'

const project = '/projects/tea'
const base = { session_id: 's-1', transcript_path: '/nowhere/s-1.jsonl', cwd: project }
const known = { sessionKey: 's-1', project }
const tell = (hookEventName: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext: context },
})

const claudeCode: readonly Omit<HookCase, 'harness'>[] = [
  {
    event: 'session-start',
    payload: { ...base, hook_event_name: 'SessionStart', source: 'startup', model: 'some-model' },
    path: '/api/hooks/session-start',
    body: { ...known, source: 'startup' },
    output: tell('SessionStart'),
  },
  {
    event: 'user-prompt-submit',
    payload: {
      ...base,
      hook_event_name: 'UserPromptSubmit',
      permission_mode: 'default',
      prompt: 'Hi',
    },
    path: '/api/hooks/user-prompt-submit',
    body: { ...known, userMessage: 'Hi' },
    output: tell('UserPromptSubmit'),
  },
  {
    event: 'checkpoint',
    payload: {
      ...base,
      hook_event_name: 'Stop',
      permission_mode: 'default',
      stop_hook_active: false,
      last_assistant_message: 'Done.',
    },
    path: '/api/hooks/session-checkpoint-extract',
    body: known,
    output: 'nothing',
  },
  {
    event: 'session-end',
    payload: { ...base, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' },
    path: '/api/hooks/session-end',
    body: { ...known, reason: 'session_shutdown' },
    output: 'nothing',
  },
  {
    event: 'session-end',
    payload: { ...base, hook_event_name: 'SessionEnd', reason: 'clear' },
    path: '/api/hooks/session-end',
    body: { ...known, reason: 'clear' },
    output: 'nothing',
  },
  {
    event: 'pre-compaction',
    payload: { ...base, hook_event_name: 'PreCompact', trigger: 'auto', custom_instructions: '' },
    path: '/api/hooks/pre-compaction',
    body: known,
    output: 'text',
  },
  {
    event: 'compaction-complete',
    payload: { ...base, hook_event_name: 'PostCompact', trigger: 'auto', compact_summary: 'Tea.' },
    path: '/api/hooks/compaction-complete',
    body: { ...known, summary: 'Tea.' },
    output: 'nothing',
  },
]

const codex: readonly Omit<HookCase, 'harness'>[] = [
  {
    event: 'session-start',
    payload: {
      ...base,
      hook_event_name: 'SessionStart',
      source: 'resume',
      permission_mode: 'default',
    },
    path: '/api/hooks/session-start',
    body: { ...known, source: 'resume' },
    output: tell('SessionStart'),
  },
  {
    event: 'user-prompt-submit',
    payload: { ...base, hook_event_name: 'UserPromptSubmit', turn_id: 't-1', prompt: 'Hi' },
    path: '/api/hooks/user-prompt-submit',
    body: { ...known, userMessage: 'Hi' },
    output: tell('UserPromptSubmit'),
  },
  {
    event: 'checkpoint',
    payload: {
      ...base,
      hook_event_name: 'Stop',
      turn_id: 't-1',
      stop_hook_active: false,
      last_assistant_message: 'Done.',
    },
    path: '/api/hooks/session-checkpoint-extract',
    body: known,
    output: 'nothing',
  },
  {
    event: 'pre-compaction',
    payload: { ...base, hook_event_name: 'PreCompact', turn_id: 't-1', trigger: 'manual' },
    path: '/api/hooks/pre-compaction',
    body: known,
    output: 'nothing',
  },
  {
    event: 'session-end',
    payload: { ...base, hook_event_name: 'SessionEnd', reason: 'other' },
    path: '/api/hooks/session-end',
    body: { ...known, reason: 'session_shutdown' },
    output: 'nothing',
  },
]

const at = { ...base, timestamp: '2026-01-01T00:00:00.000Z' }
const gemini: readonly Omit<HookCase, 'harness'>[] = [
  {
    event: 'session-start',
    payload: { ...at, hook_event_name: 'SessionStart', source: 'clear' },
    path: '/api/hooks/session-start',
    body: { ...known, source: 'clear', claimOnly: true },
    output: 'nothing',
  },
  {
    event: 'user-prompt-submit',
    payload: { ...at, hook_event_name: 'BeforeAgent', prompt: 'Hi' },
    path: '/api/hooks/user-prompt-submit',
    body: { ...known, userMessage: 'Hi', includeStart: true },
    output: tell('BeforeAgent'),
  },
  {
    event: 'session-end',
    payload: { ...at, hook_event_name: 'SessionEnd', reason: 'exit' },
    path: '/api/hooks/session-end',
    body: { ...known, reason: 'session_shutdown' },
    output: 'nothing',
  },
]

const talk = {
  conversation_id: 's-1',
  generation_id: 'g-1',
  workspace_roots: [project, '/projects/cups'],
  cursor_version: '2.0.77',
  user_email: null,
  transcript_path: null,
}
const cursor: readonly Omit<HookCase, 'harness'>[] = [
  {
    event: 'session-start',
    payload: {
      ...talk,
      hook_event_name: 'sessionStart',
      session_id: 's-1',
      composer_mode: 'agent',
      is_background_agent: false,
    },
    path: '/api/hooks/session-start',
    body: known,
    output: { additional_context: context },
  },
  {
    event: 'user-prompt-submit',
    payload: { ...talk, hook_event_name: 'beforeSubmitPrompt', prompt: 'Hi', attachments: [] },
    path: '/api/hooks/user-prompt-submit',
    body: { ...known, userMessage: 'Hi' },
    output: 'nothing',
  },
  {
    event: 'pre-compaction',
    payload: {
      ...talk,
      hook_event_name: 'preCompact',
      trigger: 'auto',
      context_usage_percent: 85,
      message_count: 45,
      messages_to_compact: 30,
      is_first_compaction: true,
    },
    path: '/api/hooks/pre-compaction',
    body: known,
    output: 'nothing',
  },
  {
    event: 'session-end',
    payload: {
      ...talk,
      hook_event_name: 'sessionEnd',
      session_id: 's-1',
      reason: 'user_close',
      duration_ms: 12,
      is_background_agent: false,
      final_status: 'completed',
    },
    path: '/api/hooks/session-end',
    body: { ...known, reason: 'session_shutdown' },
    output: 'nothing',
  },
]

const own = { sessionID: 's-1', directory: project }
const opencode: readonly Omit<HookCase, 'harness'>[] = [
  {
    event: 'session-start',
    payload: own,
    path: '/api/hooks/session-start',
    body: known,
    output: 'text',
  },
  {
    event: 'session-end',
    payload: { ...own, transcript: 'User: Hi\nAssistant: Hello\n' },
    path: '/api/hooks/session-end',
    body: { ...known, transcript: 'User: Hi\nAssistant: Hello\n' },
    output: 'nothing',
  },
]

const all = { 'claude-code': claudeCode, codex, gemini, cursor, opencode, generic: opencode }

export const hookCases: readonly HookCase[] = Object.entries(all).flatMap(([harness, cases]) =>
  cases.map((each) => ({ harness, ...each })),
)
