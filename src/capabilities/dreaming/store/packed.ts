import type { SourceKind } from '../evidence/evidence.ts'
import type { Pass, StagedOperation } from '../pass.ts'
import type { Fact } from '../rules/statement.ts'

/** Columns that repeat what other columns say are stored without it. */

type EvidenceWindow = Pass['window']

/** The sources as `<characters> <id>`, by kind: a window has up to 500 of them. */
export function packWindow({ cursor, sources }: EvidenceWindow): string {
  const byKind = Map.groupBy(sources, ({ sourceKind }) => sourceKind)
  const kinds = [...byKind].map(([kind, items]) => [
    kind,
    items.map(({ sourceId, chars }) => `${chars} ${packId(sourceId)}`),
  ])
  return JSON.stringify({ cursor, ...Object.fromEntries(kinds) })
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const packedUuid = /^~([\w-]{22})$/

/** `~` and the bytes of a UUID. Another id that begins with `~` gets a second one. */
function packId(id: string): string {
  if (uuid.test(id)) return `~${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`
  return id.startsWith('~') ? `~${id}` : id
}

function unpackId(text: string): string {
  const packed = packedUuid.exec(text)?.[1]
  // Older rows have `~` once.
  if (packed === undefined) return text.startsWith('~~') ? text.slice(1) : text
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export function unpackWindow(json: string): EvidenceWindow {
  const { cursor, sources, ...byKind } = JSON.parse(json)
  // Older rows have a list of objects.
  if (Array.isArray(sources)) return { cursor, sources }
  const packed = Object.entries(byKind as Readonly<Record<SourceKind, readonly string[]>>)
  return {
    cursor,
    sources: packed.flatMap(([sourceKind, items]) =>
      items.map((item) => ({
        sourceKind: sourceKind as SourceKind,
        sourceId: unpackId(item.slice(item.indexOf(' ') + 1)),
        chars: Number.parseInt(item, 10),
      })),
    ),
  }
}

/** Quotes with their sources, without the names of their fields. */
export function packEvidence(evidence: StagedOperation['evidence']): string {
  return JSON.stringify(
    evidence.map(({ sourceKind, sourceId, quote }) => [sourceKind, packId(sourceId), quote]),
  )
}

type PackedQuote = readonly [kind: SourceKind, id: string, quote: string]

export function unpackEvidence(json: string): StagedOperation['evidence'] {
  const items = JSON.parse(json) as readonly (StagedOperation['evidence'][number] | PackedQuote)[]
  return items.map((item) => {
    if (!isPacked(item)) return item
    const [sourceKind, id, quote] = item
    return { sourceKind, sourceId: unpackId(id), quote }
  })
}

function isPacked<Item>(item: Item): item is Extract<Item, readonly unknown[]> {
  return Array.isArray(item)
}

/** Until it takes effect, an operation has the facts that it would add to the ledger. */
export function packFacts({ facts, evidence, fingerprint, state }: StagedOperation): string {
  if (state !== 'planned' && state !== 'refused') return '[]'
  const packed = facts.map((fact) => {
    const { sourceKind, sourceId, fingerprint: own, ...rest } = fact
    const source = evidence.findIndex(
      (item) => item.sourceKind === sourceKind && item.sourceId === sourceId,
    )
    if (source < 0 || own !== fingerprint) return fact
    const { family, subject, slot, value, start, length, session, assertedAt, ownWord } = rest
    return [source, family, subject, slot, value, start, length, session, assertedAt, ownWord]
  })
  return JSON.stringify(packed)
}

/** The source is the index of a quote of the operation. */
type PackedFact = readonly [
  source: number,
  family: Fact['family'],
  subject: string,
  slot: string,
  value: string,
  start: number,
  length: number,
  session: string | null,
  assertedAt: string,
  ownWord: boolean,
]
/** The form in rows of earlier versions. */
type NamedFact = Omit<Fact, 'sourceKind' | 'sourceId' | 'fingerprint'> & {
  readonly source: number
}

export function unpackFacts(
  json: string,
  { evidence, fingerprint }: Pick<StagedOperation, 'evidence' | 'fingerprint'>,
): Fact[] {
  return (JSON.parse(json) as (Fact | PackedFact | NamedFact)[]).flatMap((fact) => {
    if ('sourceId' in fact) return fact
    const { source, ...rest } = isPacked(fact) ? toNamed(fact) : fact
    const item = evidence[source]
    if (!item || fingerprint === null) return []
    const { sourceKind, sourceId } = item
    return { ...rest, sourceKind, sourceId, fingerprint }
  })
}

function toNamed(packed: PackedFact): NamedFact {
  const [source, family, subject, slot, value, start, length, session, assertedAt, ownWord] = packed
  return { source, family, subject, slot, value, start, length, session, assertedAt, ownWord }
}
