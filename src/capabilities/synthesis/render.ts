import type { Caller } from '../../kernel/auth/caller.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { redactSecrets, redactStrictly } from '../../kernel/redaction/redact.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { Memory } from '../memory/index.ts'
import type { SynthesisOptions } from './needs.ts'

/** A node of the session graph. */
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

/** A session file that the ledger links to. */
export interface LedgerEntry {
  readonly capturedAt: string
  readonly sessionKey: string | null
  readonly sessionToken: string
  readonly project: string | null
  readonly memorySentence: string | null
  readonly memorySentenceQuality: 'ok' | 'fallback' | null
  readonly sourceKind: string
  readonly sourcePath: string
}

/** The newest node of one project, source and harness. */
export interface Thread {
  readonly threadKey: string
  readonly sample: string
  readonly sourceType: string
  readonly nodeId: string
  readonly latestAt: string
}

export interface Projection {
  /** By importance. */
  readonly durable: readonly Memory[]
  readonly constraints: readonly Memory[]
  /** The latest first. */
  readonly threads: readonly Thread[]
  readonly nodes: readonly Node[]
  readonly ledger: readonly LedgerEntry[]
}

/** Rows read of each kind. */
const limits = { heads: 8, threads: 12, nodes: 20 } as const

/** The noun for the entries of each section, and its share of the total length. The ledger takes the rest. */
const sections = {
  head: { heading: 'Global Head (Tier 1)', noun: 'durable memories', share: 0.16 },
  threads: { heading: 'Thread Heads (Tier 2)', noun: 'threads', share: 0.2 },
  ledger: { heading: 'Session Ledger (Last 30 Days)', noun: 'sessions', share: 0 },
  open: { heading: 'Open Threads', noun: 'threads', share: 0.06 },
  notes: { heading: 'Durable Notes & Constraints', noun: 'constraints', share: 0.16 },
  index: { heading: 'Temporal Index', noun: 'sessions', share: 0.2 },
} as const

const title = '# Working Memory Summary'
const separator = '\n\n'

/** Deterministic. The text has at most `maxLength` characters. */
export function render(projection: Projection, maxLength: number) {
  const { durable, constraints, threads, nodes, ledger } = projection
  const fillShare = (name: keyof typeof sections, entries: readonly string[]) =>
    fill(name, entries, Math.floor(sections[name].share * maxLength))
  const head = fillShare('head', durable.map(toMemory))
  const heads = fillShare('threads', threads.map(toThread))
  const open = fillShare('open', threads.slice(0, limits.heads).map(toOpen))
  const notes = fillShare('notes', constraints.map(toMemory))
  const indexBlock = fillShare('index', nodes.map(toIndexed))
  const others = [title, head, heads, open, notes, indexBlock].join(separator).length
  const room = maxLength - others - separator.length - 1
  const days = fill('ledger', toDays(ledger).flat(), room)
  const parts = [title, head, heads, days, open, notes, indexBlock]
  return { text: `${parts.join(separator)}\n`, indexBlock, fileCount: ledger.length }
}

/** Renders entries until one does not fit. `room` includes the heading. */
function fill(name: keyof typeof sections, entries: readonly string[], room: number): string {
  const { heading, noun } = sections[name]
  const above = `## ${heading}\n`
  if (entries.length === 0) return `${above}\nNo ${noun} yet.`
  const clipped = `_Further ${noun} are left out for length._`
  const lines: string[] = []
  let left = room - above.length - clipped.length - 1
  for (const entry of entries) {
    left -= entry.length + 1
    if (left < 0) return [above, ...lines, clipped].join('\n')
    lines.push(entry)
  }
  return [above, ...lines].join('\n')
}

function toMemory({ type, content }: Memory): string {
  return `- [${type}] ${oneLine(content, 400)}`
}

function toThread({ threadKey, sample, sourceType, nodeId, latestAt }: Thread): string {
  const about = `latest=${latestAt} source=${sourceType} node=${nodeId}`
  return `### ${oneLine(threadKey, 200)}\n${oneLine(sample, sampleCharacters)}\n${oneLine(about, 500)}`
}

function toOpen({ threadKey }: Thread): string {
  return `- ${oneLine(threadKey, 200)}`
}

function toIndexed(node: Node): string {
  const { id, kind, sourceType, depth, latestAt, sessionKey, project, sourceRef } = node
  const about = [
    `id=${id} kind=${kind} source=${sourceType} depth=${depth} session=${sessionKey ?? '-'}`,
    `project=${project ?? '-'} ref=${sourceRef ?? '-'} latest=${latestAt}`,
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
  const sortedEntries = entries.toSorted((a, b) => a.sourcePath.localeCompare(b.sourcePath))
  const at =
    sortedEntries
      .map(({ capturedAt }) => capturedAt)
      .toSorted()
      .at(-1) ?? ''
  const sentence = chooseSentence(sortedEntries)
  const [first] = sortedEntries
  const links = sortedEntries.map(({ sourceKind, sourcePath }) => `[[${sourcePath}|${sourceKind}]]`)
  const about = [at.slice(11, 16), first?.sessionKey ?? '-', first?.project ?? '-'].join(' | ')
  return { at, line: `- ${oneLine(about, 300)} | ${oneLine(sentence, 300)} ${links.join(' ')}` }
}

/** Prefers a sentence of good quality, then that of the transcript. */
function chooseSentence(entries: readonly LedgerEntry[]): string {
  const named = entries.filter(({ memorySentence }) => memorySentence)
  const best =
    named.find(({ memorySentenceQuality }) => memorySentenceQuality === 'ok') ??
    named.find(({ sourceKind }) => sourceKind === 'transcript') ??
    named[0]
  return best?.memorySentence ?? ''
}

const sampleCharacters = 240

/** Neutralizes a cited text and removes heading marks. */
function oneLine(text: string, maxLength: number): string {
  const line = neutralize(text.replaceAll(/\s+/g, ' ')).replace(/^[#>\s-]+/, '')
  return sliceText(line, 0, maxLength)
}

const ledgerDays = 30
const dayMs = 86_400_000
const maxFiles = 200
const constraintTypes = ['constraint', 'decision', 'rule']
/** 5,000 minus a reserve for the first line. */
const maxTextTokens = 4744
const charactersPerToken = 4
/** Longer than any displayed excerpt, so that redaction sees whole secrets. */
const maxCitedLength = 4000

/** Renders `MEMORY.md` from the rows that the caller may read. */
export async function projectMemory(
  { db, host, agents, memory, transcripts, config }: SynthesisOptions,
  caller: Pick<Caller, 'agentId' | 'scope'>,
) {
  const scope = await agents.readScopeOf(db, caller)
  const own = { agentId: caller.agentId, project: caller.scope.project }
  const since = new Date(host.now().getTime() - ledgerDays * dayMs).toISOString()
  const [durable, constraints, threads, nodes, ledger] = await Promise.all([
    memory.listByImportance(db, scope, { types: undefined, limit: limits.heads }),
    memory.listByImportance(db, scope, { types: constraintTypes, limit: limits.heads }),
    transcripts.listThreadHeads(db, own, limits.threads),
    transcripts.listNodes(db, own, limits.nodes),
    transcripts.listArtifacts(db, { ...own, since, limit: maxFiles }),
  ])
  const tokens = Math.min(maxTextTokens, config().maxTokens)
  const rendered = render(
    {
      durable: durable.map(cite),
      constraints: constraints.map(cite),
      threads: threads.map((thread) => ({ ...thread, sample: withoutSecrets(thread.sample) })),
      nodes: nodes.map(cite),
      ledger: ledger.map((entry) => ({
        ...entry,
        memorySentence: entry.memorySentence && withoutSecrets(entry.memorySentence),
      })),
    },
    tokens * charactersPerToken,
  )
  const cited = ledger.filter(({ sourcePath }) => rendered.text.includes(sourcePath))
  return {
    ...rendered,
    text: redactSecrets(rendered.text).text,
    /** Tokens of the sessions whose files are linked. */
    cited: cited.map(({ sessionToken }) => sessionToken),
  }
}

function cite<Cited extends { readonly content: string }>(cited: Cited): Cited {
  return { ...cited, content: withoutSecrets(cited.content) }
}

/** Applied to each cited text: strict redaction of the whole file would match file names. */
export function withoutSecrets(text: string): string {
  return redactStrictly(sliceText(text.replaceAll(/\s+/g, ' '), 0, maxCitedLength)).text
}
