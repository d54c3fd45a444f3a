import type { CheckpointTrigger } from '../transcripts/index.ts'
import type { Window } from './window.ts'

/** Readable by whoever goes on with the session. */
export function toDigest(
  window: Window,
  {
    trigger,
    now,
    context,
  }: {
    readonly trigger: CheckpointTrigger
    readonly now: Date
    readonly context?: string | undefined
  },
): string {
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
