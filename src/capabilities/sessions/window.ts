import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
/** What a session did since its last checkpoint, as far as it helps to go on. */
export interface Window {
  readonly harness: string
  readonly project: string | null
  /** ISO. */
  readonly startedAt: string
  readonly promptCount: number
  /** The last prompts, each cut. */
  readonly snippets: readonly CleanText[]
  /** Words that were asked about. */
  readonly queries: readonly CleanText[]
  /** What was remembered, each cut. */
  readonly remembers: readonly CleanText[]
  /** When the last checkpoint was written, and at which prompt; the start counts as one. */
  readonly checkpointAt: string
  readonly checkpointPrompts: number
}

/** What one hook adds to it. */
export interface Note {
  readonly prompt?: CleanText | undefined
  readonly terms?: CleanText | undefined
  readonly remembered?: CleanText | undefined
}

const snippetCharacters = 200
const mostSnippets = 10
const mostQueries = 20
const mostRemembers = 10
const rememberCharacters = 120

export function openWindow(
  { harness, project }: Pick<Window, 'harness' | 'project'>,
  now: string,
): Window {
  return {
    ...{ harness, project, startedAt: now, promptCount: 0 },
    ...{ snippets: [], queries: [], remembers: [], checkpointAt: now, checkpointPrompts: 0 },
  }
}

export function addToWindow(window: Window, { prompt, terms, remembered }: Note): Window {
  const counted = prompt === undefined ? 0 : 1
  return {
    ...window,
    promptCount: window.promptCount + counted,
    snippets: keep(window.snippets, prompt?.slice(0, snippetCharacters), mostSnippets),
    queries: keep(window.queries, terms, mostQueries),
    remembers: keep(window.remembers, remembered?.slice(0, rememberCharacters), mostRemembers),
  }
}

interface Intervals {
  readonly promptInterval: number
  readonly timeIntervalMs: number
}

/** After so many prompts, or so long after the last checkpoint when there was a prompt since. */
export function isCheckpointDue(window: Window, now: Date, intervals: Intervals): boolean {
  const prompts = window.promptCount - window.checkpointPrompts
  const sinceMs = now.getTime() - new Date(window.checkpointAt).getTime()
  return prompts >= intervals.promptInterval || (prompts > 0 && sinceMs >= intervals.timeIntervalMs)
}

/** The newest stay, none twice in a row. */
function keep(texts: readonly CleanText[], added: string | undefined, most: number) {
  const text = added === undefined ? undefined : toCleanText(added.toWellFormed().trim())
  return text && texts.at(-1) !== text ? [...texts, text].slice(-most) : texts
}
