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
    items.map(({ sourceId, chars }) => `${chars} ${sourceId}`),
  ])
  return JSON.stringify({ cursor, ...Object.fromEntries(kinds) })
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
        sourceId: item.slice(item.indexOf(' ') + 1),
        chars: Number.parseInt(item, 10),
      })),
    ),
  }
}

/** Until it takes effect, an operation has the facts that it would add to the ledger. */
export function packFacts({ facts, evidence, fingerprint, state }: StagedOperation): string {
  if (state !== 'planned' && state !== 'refused') return '[]'
  const packed = facts.map((fact) => {
    const { sourceKind, sourceId, fingerprint: own, ...rest } = fact
    const source = evidence.findIndex(
      (item) => item.sourceKind === sourceKind && item.sourceId === sourceId,
    )
    return source < 0 || own !== fingerprint ? fact : { ...rest, source }
  })
  return JSON.stringify(packed)
}

/** The source is the index of a quote of the operation. */
type PackedFact = Omit<Fact, 'sourceKind' | 'sourceId' | 'fingerprint'> & {
  readonly source: number
}

export function unpackFacts(
  json: string,
  { evidence, fingerprint }: Pick<StagedOperation, 'evidence' | 'fingerprint'>,
): Fact[] {
  return (JSON.parse(json) as (Fact | PackedFact)[]).flatMap((fact) => {
    if (!('source' in fact)) return fact
    const { source, ...rest } = fact
    const item = evidence[source]
    if (!item || fingerprint === null) return []
    const { sourceKind, sourceId } = item
    return { ...rest, sourceKind, sourceId, fingerprint }
  })
}
