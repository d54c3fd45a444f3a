/** Element names with a meaning in prompts of harnesses, chat templates and this service. */
const elements = [
  ...['svc-[a-z-]{1,40}', 'svc:[a-z-]{1,40}', 'memory-context', 'private'],
  ...[
    'system(?:-(?:reminder|prompt|message|instruction|notification)s?)?',
    'command-[a-z-]{1,40}',
    'local-command-[a-z-]{1,40}',
  ],
  ...['environment_context', 'user_instructions', 'session_context', 'hook_context'],
  ...['user-prompt-submit-hook', 'task-notification', 'tool_call', 'tool_response'],
  ...['function_calls', 'function_results', 'antml:[a-z_-]{1,40}', 'start_of_turn', 'end_of_turn'],
  ...['function_(?:call|result)', 'function(?==)', 'invoke', 'parameter'],
  ...['tool_calls', 'tool_use(?:_error)?', 'tool_results?', 'tool_outputs?', 'tool_responses'],
]
const bar = String.raw`[|\uFF5C]`
const gap = String.raw`[ \t]{0,4}`

/** Each begins a mark that closes a context, changes the role or hides text from a person. */
const opening = new RegExp(
  [
    `<(?=${gap}/?${gap}(?:${elements.join('|')})(?![\\w-]))`,
    `<(?=${bar}[^\\s<>]{1,40}${bar}|!--|</?SYS>>|/?s>)`,
  ].join('|'),
  'gi',
)
/** Turn marks of several chat templates, such as `[INST]` and `[/SYSTEM_PROMPT]`. */
const turn = new RegExp(
  `\\[(?=${gap}/?${gap}(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)${gap}\\])`,
  'gi',
)

/** Models and JSON Lines parsers may read each as a line end. */
const separator = /[\u2028\u2029]/g
/** Control and format characters with tags (U+E0000 to U+E007F), except those that words need. */
const invisible =
  /(?![\n\t\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u200C\u200D])[\p{Cc}\p{Cf}\u{E0000}-\u{E007F}]/gu
const joiner = String.raw`(?:\u200C|\u200D|\u034F|\u115F|\u1160|\u3164)`
const selector = String.raw`(?:[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}])`
const mark = `(?:${joiner}|${selector})`
const other = String.raw`[^\0-\x7F]`
/**
 * A joiner is valid between letters of other scripts and in emoji; a variation selector stands
 * alone.
 */
const placed = `${selector}(?!${mark})|(?<=${other})${selector}?${joiner}(?!${mark})(?=${other})`
const misplaced = new RegExp(`(?<!${mark})(?!${placed})${mark}+`, 'gu')

/**
 * Makes stored text safe for a model or a terminal. Removes invisible and control characters
 * and escapes marks with a meaning in prompts. The words stay unchanged.
 */
export function neutralize(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(separator, ' ')
    .replaceAll(invisible, '')
    .replaceAll(misplaced, '')
    .replaceAll(opening, '&lt;')
    .replaceAll(turn, '&#91;')
    .toWellFormed()
}

/** Returns whether a name contains invisible characters or line breaks. */
export function hasHiddenCharacters(name: string): boolean {
  return [/[\n\t]/, separator, invisible, misplaced].some((hidden) => name.search(hidden) !== -1)
}

/** Neutralizes every text of a JSON value, field names included. */
export function neutralizeTexts<Value>(value: Value): Value {
  return walk(value) as Value
}

function walk(value: unknown): unknown {
  if (typeof value === 'string') return neutralize(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(walk)
  const entries = Object.entries(value).map(([name, one]) => [neutralize(name), walk(one)])
  return Object.fromEntries(entries)
}
