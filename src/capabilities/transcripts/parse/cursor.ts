import { toolMark } from './content.ts'
import type { Told } from './record.ts'

/** The words of a person stand in a tag, among files and reminders that nobody said. */
const query = { open: '<user_query>', close: '</user_query>' } as const
const section = /^\[(?<kind>Thinking|Tool call|Tool result)\][ \t]*(?<name>\S*)/i

export function hearCursor(told: readonly Told[]): readonly Told[] {
  return told.map((one) => ({
    ...one,
    text: one.role === 'user' ? unwrap(one.text) : dropSections(one.text),
  }))
}

function unwrap(text: string): string {
  const said = text
    .split(query.open)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf(query.close)
      return end === -1 ? [] : [part.slice(0, end)]
    })
  return said.length > 0 ? said.join('\n') : text
}

/** In the older text form thoughts, calls and their results stand between the words of the assistant. */
function dropSections(text: string): string {
  const said: string[] = []
  let silent: 'call' | 'result' | undefined
  for (const line of text.split('\n')) {
    const { kind, name } = section.exec(line)?.groups ?? {}
    const opened = kind?.toLowerCase()
    if (opened === 'tool call') said.push(toolMark(name))
    if (opened !== undefined) silent = silenceAfter(opened)
    else if (silent === 'call' && /^\S/.test(line)) silent = undefined
    if (opened === undefined && silent === undefined) said.push(line)
  }
  return said.join('\n')
}

/** What a tool is called with is indented; what it answers goes on to the next section or turn. */
function silenceAfter(section: string): 'call' | 'result' | undefined {
  if (section === 'thinking') return undefined
  return section === 'tool call' ? 'call' : 'result'
}
