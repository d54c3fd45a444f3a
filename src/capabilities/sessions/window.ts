import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { CheckpointTrigger } from '../transcripts/index.ts'

/** The activity of a session since its last checkpoint. */
export interface Window {
  readonly harness: string
  readonly project: string | null
  /** ISO. */
  readonly startedAt: string
  readonly promptCount: number
  /** The last prompts, each truncated. */
  readonly snippets: readonly CleanText[]
  /** Terms of the last queries. */
  readonly queries: readonly CleanText[]
  /** The last saved memories, each truncated. */
  readonly remembers: readonly CleanText[]
  /** Time and prompt count of the last checkpoint. The start counts as one. */
  readonly checkpointAt: string
  readonly checkpointPrompts: number
}

/** What one hook adds to the window. */
export interface Activity {
  readonly prompt?: CleanText | undefined
  readonly terms?: CleanText | undefined
  readonly remembered?: CleanText | undefined
}

const maxSnippetLength = 200
const maxSnippets = 10
const maxQueries = 20
const maxRemembers = 10
const maxRememberLength = 120

export function openWindow(
  { harness, project }: Pick<Window, 'harness' | 'project'>,
  now: string,
): Window {
  return {
    harness,
    project,
    startedAt: now,
    promptCount: 0,
    snippets: [],
    queries: [],
    remembers: [],
    checkpointAt: now,
    checkpointPrompts: 0,
  }
}

export function addToWindow(window: Window, { prompt, terms, remembered }: Activity): Window {
  const counted = prompt === undefined ? 0 : 1
  return {
    ...window,
    promptCount: window.promptCount + counted,
    snippets: appendBounded(window.snippets, prompt?.slice(0, maxSnippetLength), maxSnippets),
    queries: appendBounded(window.queries, terms, maxQueries),
    remembers: appendBounded(
      window.remembers,
      remembered?.slice(0, maxRememberLength),
      maxRemembers,
    ),
  }
}

interface Intervals {
  readonly promptInterval: number
  readonly timeIntervalMs: number
}

/** True after this many prompts, or this time since the last checkpoint with a newer prompt. */
export function isCheckpointDue(window: Window, now: Date, intervals: Intervals): boolean {
  const prompts = window.promptCount - window.checkpointPrompts
  const sinceMs = now.getTime() - new Date(window.checkpointAt).getTime()
  return prompts >= intervals.promptInterval || (prompts > 0 && sinceMs >= intervals.timeIntervalMs)
}

/** Drops the oldest text above the maximum, and a repeated text. */
function appendBounded(
  texts: readonly CleanText[],
  addedText: string | undefined,
  maxTexts: number,
) {
  const text = addedText === undefined ? undefined : toCleanText(addedText.toWellFormed().trim())
  return text && texts.at(-1) !== text ? [...texts, text].slice(-maxTexts) : texts
}

interface DigestInput {
  readonly trigger: CheckpointTrigger
  readonly now: Date
  readonly context?: string | undefined
}

/** The text of a checkpoint, for the next start of the session. */
export function toDigest(window: Window, { trigger, now, context }: DigestInput): string {
  const minutes = Math.round((now.getTime() - new Date(window.startedAt).getTime()) / 60_000)
  const heading = trigger === 'pre_compaction' ? 'Pre-Compaction Checkpoint' : 'Session Checkpoint'
  const parts = [
    `## ${heading}`,
    window.project === null ? '' : `Project: ${window.project}`,
    `Prompts: ${window.promptCount}, in ${minutes} minutes`,
    section('Session Context', context ? [context] : []),
    section('Recent Prompts', window.snippets.map(toBullet)),
    section('Memory Activity', [
      ...(window.queries.length > 0 ? [`Queries: ${window.queries.join('; ')}`] : []),
      ...window.remembers.map((text) => toBullet(`Remembered: ${text}`)),
    ]),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`### ${heading}`, ...lines].join('\n')
}

function toBullet(text: string): string {
  return `- ${text.replaceAll(/\s+/g, ' ')}`
}
