/**
 * Element names with a meaning in prompts of harnesses, chat templates and this service. Each may
 * have underscores for its hyphens and a plural.
 */
const names = [
  ...['system', 'system-reminder', 'system-prompt', 'system-message', 'system-instruction'],
  ...['system-notification', 'user', 'human', 'assistant', 'instruction', 'user-instruction'],
  ...['important', 'extremely-important', 'important-instruction', 'memory', 'memory-context'],
  ...['environment-context', 'session-context', 'hook-context', 'private'],
  ...['user-prompt-submit-hook', 'task-notification', 'start-of-turn', 'end-of-turn'],
  ...['functions', 'function-call', 'function-result', 'invoke', 'parameter'],
  ...['tool-call', 'tool-use', 'tool-use-error', 'tool-result', 'tool-output', 'tool-response'],
].map((name) => `${name.replaceAll('-', '[-_]')}s?`)
const elements = [
  ...[...names, 'function(?==)', 'antml:[a-z_-]{1,40}'],
  ...['svc[-_:][a-z_-]{1,40}', '(?:local[-_])?command[-_][a-z_-]{1,40}'],
]
const bar = String.raw`[|\uFF5C]`
const slash = String.raw`[/\uFF0F]`
const bracket = String.raw`[<\uFF1C\uFE64]`
const gap = String.raw`[ \t]{0,4}`

/** Each begins a mark that closes a context, changes the role or hides text from a person. */
const opening = new RegExp(
  [
    `${bracket}(?=${gap}${slash}?${gap}(?:${elements.join('|')})(?![\\w@.-]))`,
    `${bracket}(?=${bar}[^\\s>]{1,40}(?:${bar}|>)|[^\\s>|]{1,40}${bar}>|!--|</?SYS>>|/?s>)`,
  ].join('|'),
  'gi',
)
/** Turn marks of several chat templates, such as `[INST]` and `[/SYSTEM_PROMPT]`. */
const turn = new RegExp(
  `\\[(?=${gap}/?${gap}(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)${gap}\\])`,
  'gi',
)

/** The label of a speaker at the start of a line. */
const speaker = /^(?=[ \t]*(?:assistant|human|system|user)[ \t]*[:\uFF1A])/gim

/** Models and JSON Lines parsers may read each as a line end. */
const separator = /[\u2028\u2029]/g
/** Control and format characters with tags (U+E0000 to U+E007F), except those that words need. */
const invisible =
  /(?![\n\t\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u200C\u200D])[\p{Cc}\p{Cf}\u{E0000}-\u{E007F}]/gu
const joiner = String.raw`(?:\u200C|\u200D|\u034F|\u115F|\u1160|\u3164)`
const selector = String.raw`(?:[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}])`
const mark = `(?:${joiner}|${selector})`
/** Not ASCII, and no bracket that is escaped. */
const other = String.raw`[^\0-\x7F\uFF1C\uFE64]`
/**
 * A joiner is valid between letters of other scripts and in emoji; a variation selector stands
 * alone.
 */
const placed = `${selector}(?!${mark})|(?<=${other})${selector}?${joiner}(?!${mark})(?=${other})`
const misplaced = new RegExp(`(?<!${mark})(?!${placed})${mark}+`, 'gu')

/**
 * Makes stored text safe for a model or a terminal. Removes invisible and control characters
 * and escapes marks with a meaning in prompts. The words do not change.
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

/** Neutralizes text and quotes lines that begin with the label of a speaker, so that none opens a turn in a prompt. */
export function quoteTurns(text: string): string {
  return neutralize(text).replaceAll(speaker, '> ')
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
