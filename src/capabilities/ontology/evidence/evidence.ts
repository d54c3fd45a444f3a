import type { Memory } from '../../memory/index.ts'

export interface EvidenceRef {
  readonly kind: 'memory' | 'transcript' | 'artifact' | 'summary'
  readonly id: string
  readonly quote?: string | undefined
}

/** The text that quotes must match. */
export interface Evidence {
  readonly text: string
  readonly sourceTime: string
  readonly visibility: 'private' | 'global'
  readonly project: string | null
  readonly trust: 'own' | 'external'
  /** The key of the session that the text is about, where it has one. */
  readonly session?: string | null
  /** Who said it and how, where the source is a memory. */
  readonly memory?: Pick<Memory, 'who' | 'sessionId' | 'evidence'>
}

/** A quote, a reference `kind:id`, or an object with a reference and a quote. */
export type EvidenceItem = string | Readonly<Record<string, unknown>>

/** A reference as it was written, with all that it may name. */
export interface ParsedItem {
  readonly reference: EvidenceItem
  readonly proposalId: string | undefined
  /** In the order in which they are resolved. */
  readonly refs: readonly EvidenceRef[]
  readonly quote: string | undefined
}

const kinds: Readonly<Record<string, EvidenceRef['kind']>> = {
  memory: 'memory',
  transcript: 'transcript',
  session: 'transcript',
  session_transcript: 'transcript',
  artifact: 'artifact',
  memory_artifact: 'artifact',
  source: 'artifact',
  summary: 'summary',
}

/** Parses `memory:<id>` and the like. */
function parseRef(text: string): EvidenceRef | undefined {
  const [, name = '', id = ''] = /^(\w+):(\S.*)$/s.exec(text.trim()) ?? []
  const kind = kinds[name]
  return kind && { kind, id: id.trim() }
}

/** Unreadable fields count as absent. */
export function parseItem(reference: EvidenceItem): ParsedItem {
  if (typeof reference === 'string') {
    const ref = parseRef(reference)
    return {
      reference,
      proposalId: undefined,
      refs: ref ? [ref] : [],
      quote: ref ? undefined : reference,
    }
  }
  const field = (name: string) => readField(reference, name)
  const refs = [
    toRef('artifact', field('source_path')),
    toRef('transcript', field('transcript_id') ?? field('session_key')),
    toRef(kinds[field('source_kind') ?? field('kind') ?? ''], field('source_id') ?? field('id')),
    parseRef(field('source_ref') ?? ''),
    toRef('memory', field('memory_id')),
  ].filter((ref) => ref !== undefined)
  const isProposal = (field('source_kind') ?? field('kind')) === 'ontology_proposal'
  const proposalId = field('proposal_id') ?? (isProposal ? field('source_id') : undefined)
  return { reference, proposalId, refs, quote: field('quote') }
}

function toRef(kind: EvidenceRef['kind'] | undefined, id: string | undefined) {
  return kind === undefined || id === undefined ? undefined : { kind, id }
}

/** Under its snake-case or camel-case name. */
function readField(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const value = item[name] ?? item[camel]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The first source that an item names, with its quote. */
export function parseEvidenceRef(item: unknown): {
  readonly ref: EvidenceRef | undefined
  readonly quote: string | undefined
} {
  const isItem = typeof item === 'string' || (typeof item === 'object' && item !== null)
  const { refs, quote } = parseItem(isItem ? (item as EvidenceItem) : '')
  return { ref: refs[0], quote }
}
