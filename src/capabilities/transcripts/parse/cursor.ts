import { toolMark } from './content.ts'
import type { RawTurn } from './record.ts'

/** User text is inside this tag, between attached files and reminders. */
const query = { open: '<user_query>', close: '</user_query>' } as const
const section = /^\[(?<kind>Thinking|Tool call|Tool result)\][ \t]*(?<name>\S*)/i

export function cleanCursorTurns(turns: readonly RawTurn[]): readonly RawTurn[] {
  return turns.map((turn) => ({
    ...turn,
    text: turn.role === 'user' ? unwrap(turn.text) : dropSections(turn.text),
  }))
}

function unwrap(text: string): string {
  const queries = text
    .split(query.open)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf(query.close)
      return end === -1 ? [] : [part.slice(0, end)]
    })
  return queries.length > 0 ? queries.join('\n') : text
}

/** The older text format mixes reasoning, calls and results with the assistant text. */
function dropSections(text: string): string {
  const lines: string[] = []
  let skipped: 'call' | 'result' | undefined
  for (const line of text.split('\n')) {
    const { kind, name } = section.exec(line)?.groups ?? {}
    const opened = kind?.toLowerCase()
    if (opened === 'tool call') lines.push(toolMark(name))
    if (opened !== undefined) skipped = skippedAfter(opened)
    else if (skipped === 'call' && /^\S/.test(line)) skipped = undefined
    if (opened === undefined && skipped === undefined) lines.push(line)
  }
  return lines.join('\n')
}

/** Call arguments are indented; a result extends to the next section or turn. */
function skippedAfter(section: string): 'call' | 'result' | undefined {
  if (section === 'thinking') return undefined
  return section === 'tool call' ? 'call' : 'result'
}
