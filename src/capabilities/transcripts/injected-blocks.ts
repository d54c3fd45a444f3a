import { cutSpans } from '../../kernel/redaction/cut-spans.ts'
import { boundContent, isTruncated, listLines, readLine, toLine } from './transcript.ts'

/** A block that the service or a harness injects into a conversation. */
export interface InjectedBlock {
  readonly kind: string
  readonly open: RegExp
  readonly close: RegExp
  /** Whether a block without an end extends to the end of the text; otherwise the text stays. */
  readonly isOpenEnded: boolean
}

/** The context that the service injects, also under the names of plugins and older releases. */
const ownFences = [
  ...['svc-memory-context', 'svc-memory', 'memory-context', 'svc-plugin-context', 'svc-external'],
]

/** Blocks of Claude Code, Codex and Gemini CLI. Each pattern matches several names. */
const harnessBlocks = [
  'local-command-[a-z]{1,20}',
  'command-(?:name|message|args|contents)',
  'environment_context',
  'user_instructions',
  'session_context',
  'hook_context',
]

/** Codex sends the project's instructions as a message of the user. */
const projectInstructions: InjectedBlock = {
  kind: 'INSTRUCTIONS',
  open: /# AGENTS\.md instructions for [^<\n]{0,1000}\s{0,4}<INSTRUCTIONS>/g,
  close: /<\/INSTRUCTIONS>/g,
  isOpenEnded: false,
}

export const injectedBlocks: readonly InjectedBlock[] = [
  ...[...ownFences, 'system-reminder'].map((name) => toBlock(name, true)),
  ...harnessBlocks.map((name) => toBlock(name, false)),
  // A harness escapes the output of a hook.
  ...ownFences.map(toEscapedBlock),
  projectInstructions,
]

function toBlock(name: string, isOpenEnded: boolean): InjectedBlock {
  return {
    kind: name,
    isOpenEnded,
    open: new RegExp(`<${name}(?:\\s[^<>]{0,500})?>`, 'gi'),
    close: new RegExp(`</${name}>`, 'gi'),
  }
}

function toEscapedBlock(name: string): InjectedBlock {
  return {
    kind: name,
    isOpenEnded: false,
    open: new RegExp(`&lt;${name}(?:\\s[^<>]{0,500}?)?&gt;`, 'gi'),
    close: new RegExp(`&lt;/${name}&gt;`, 'gi'),
  }
}

/** The text without injected blocks. Linear in the length of the text. */
export function dropInjected(text: string): string {
  return /<|&lt;/.test(text) ? injectedBlocks.reduce(dropBlock, text) : text
}

/** Removes blocks from a content. */
export function dropInjectedTurns(content: string): string {
  return boundContent(dropInjectedLines(listLines(content)).join('\n'), isTruncated(content))
}

/** Removes blocks from turns, one a line, and drops empty turns. */
export function dropInjectedLines(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const { role, text } = readLine(line)
    const remaining = dropInjected(text)
    if (remaining === text) return [line]
    return remaining.trim() === '' ? [] : [toLine({ role, text: remaining.trim() })]
  })
}

const never = /(?!)/g
const untilEnd = /[\s\S]*/g

function dropBlock(text: string, { kind, open, close, isOpenEnded }: InjectedBlock): string {
  const spans = { kind, open, close, replacement: '' }
  if (isOpenEnded) return cutSpans(text, { ...spans, unclosed: untilEnd }).text
  // Each block that opens before the last end has an end.
  const last = [...text.matchAll(close)].at(-1)
  if (!last) return text
  const end = last.index + last[0].length
  return cutSpans(text.slice(0, end), { ...spans, unclosed: never }).text + text.slice(end)
}
