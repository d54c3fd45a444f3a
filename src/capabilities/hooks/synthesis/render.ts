import type { Memory } from '../../memory/index.ts'

/** A node of the sessions' graph, as far as it is told of. */
export interface Node {
  readonly id: string
  readonly kind: string
  readonly sourceType: string
  readonly depth: number
  readonly sessionKey: string | null
  readonly project: string | null
  readonly harness: string | null
  readonly sourceRef: string | null
  readonly latestAt: string
  readonly content: string
}

/** A file of a session that its ledger links to. */
export interface LedgerEntry {
  readonly capturedAt: string
  readonly sessionKey: string | null
  readonly sessionToken: string
  readonly project: string | null
  readonly memorySentence: string | null
  readonly sourceKind: string
  readonly sourcePath: string
}

export interface Projection {
  /** The heaviest first. */
  readonly durable: readonly Memory[]
  readonly constraints: readonly Memory[]
  /** The latest first. */
  readonly nodes: readonly Node[]
  readonly ledger: readonly LedgerEntry[]
}

export interface Rendered {
  readonly text: string
  /** The last section alone. */
  readonly indexBlock: string
  /** How many files it cites. */
  readonly fileCount: number
}

const budgetCharacters = 4 * 4744
const mostHeads = 8
const mostThreads = 12
const mostNodes = 20
const sampleCharacters = 240
const none = (what: string) => `No ${what} yet.`

/** The same rows give the same text. */
export function render({ durable, constraints, nodes, ledger }: Projection): Rendered {
  const threads = toThreads(nodes)
  const head = section(
    'Global Head (Tier 1)',
    durable.slice(0, mostHeads).map(toMemory),
    'durable memories',
  )
  const heads = section('Thread Heads (Tier 2)', threads.map(toThread), 'threads')
  const open = section(
    'Open Threads',
    threads.slice(0, mostHeads).map(({ label }) => `- ${label}`),
    'threads',
  )
  const notes = section(
    'Durable Notes & Constraints',
    constraints.slice(0, mostHeads).map(toMemory),
    'constraints',
  )
  const indexBlock = section('Temporal Index', nodes.slice(0, mostNodes).map(toIndexed), 'sessions')
  const around = [head, heads, open, notes, indexBlock].join('\n\n').length
  const days = toDays(ledger)
  const listed = fitDays(days, budgetCharacters - around)
  const book = section('Session Ledger (Last 30 Days)', listed, 'sessions')
  const parts = ['# Working Memory Summary', head, heads, book, open, notes, indexBlock]
  return { text: `${parts.join('\n\n')}\n`, indexBlock, fileCount: ledger.length }
}

function section(heading: string, lines: readonly string[], what: string): string {
  return [`## ${heading}`, '', lines.length === 0 ? none(what) : lines.join('\n')].join('\n')
}

function toMemory({ type, content }: Memory): string {
  return `- [${type}] ${oneLine(content, 400)}`
}

interface Thread {
  readonly label: string
  readonly node: Node
}

/** One for each project, source and harness: its newest node. */
function toThreads(nodes: readonly Node[]): readonly Thread[] {
  const newest = new Map<string, Node>()
  for (const node of nodes) {
    const { project, sourceType, harness } = node
    const parts = { project, source: sourceType, harness }
    const label = Object.entries(parts)
      .flatMap(([name, value]) => (value === null ? [] : [`${name}:${value}`]))
      .join('#')
    if (!newest.has(label)) newest.set(label, node)
  }
  return [...newest].slice(0, mostThreads).map(([label, node]) => ({ label, node }))
}

function toThread({ label, node }: Thread): string {
  const about = `latest=${node.latestAt} source=${node.sourceType} node=${node.id}`
  return `### ${oneLine(label, 200)}\n${oneLine(node.content, sampleCharacters)}\n${about}`
}

function toIndexed(node: Node): string {
  const about = [
    ...[`id=${node.id}`, `kind=${node.kind}`, `source=${node.sourceType}`, `depth=${node.depth}`],
    ...[`session=${node.sessionKey ?? '-'}`, `project=${node.project ?? '-'}`],
    ...[`ref=${node.sourceRef ?? '-'}`, `latest=${node.latestAt}`],
  ]
  return `- ${oneLine(about.join(' '), 500)}\n  ${oneLine(node.content, 120)}`
}

/** The newest day first; each session of a day is one line with links to all its files. */
function toDays(ledger: readonly LedgerEntry[]): readonly (readonly string[])[] {
  const sessions = Map.groupBy(ledger, ({ capturedAt, sessionToken }) =>
    [capturedAt.slice(0, 10), sessionToken].join(' '),
  )
  const rows = [...sessions.values()]
    .map(toRow)
    .toSorted((a, b) => b.at.localeCompare(a.at) || a.line.localeCompare(b.line))
  const days = Map.groupBy(rows, ({ at }) => at.slice(0, 10))
  return [...days].map(([day, rows]) => [`### ${day}`, ...rows.map(({ line }) => line)])
}

function toRow(entries: readonly LedgerEntry[]) {
  const ordered = entries.toSorted((a, b) => a.sourcePath.localeCompare(b.sourcePath))
  const at =
    ordered
      .map(({ capturedAt }) => capturedAt)
      .toSorted()
      .at(-1) ?? ''
  const sentence = ordered.find(({ memorySentence }) => memorySentence)?.memorySentence ?? ''
  const [first] = ordered
  const links = ordered.map(({ sourceKind, sourcePath }) => `[[${sourcePath}|${sourceKind}]]`)
  const about = [at.slice(11, 16), first?.sessionKey ?? '-', first?.project ?? '-']
  return { at, line: `- ${about.join(' | ')} | ${oneLine(sentence, 300)} ${links.join(' ')}` }
}

const clipped = '_Older sessions are left out for length._'

function fitDays(days: readonly (readonly string[])[], room: number): string[] {
  const lines: string[] = []
  let left = room - clipped.length
  for (const line of days.flat()) {
    if (line.length + 1 > left) return [...lines, clipped]
    lines.push(line)
    left -= line.length + 1
  }
  return lines
}

/** Nothing of what is cited may look like a heading or a mark of ours. */
function oneLine(text: string, most: number): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('<!--', '&lt;!--')
    .replace(/^[#>\s-]+/, '')
  return line.slice(0, most).toWellFormed()
}
