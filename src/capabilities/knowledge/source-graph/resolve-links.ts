import type { Db } from '../../../kernel/db/database.ts'
import type { SourceName, SourceTarget } from '../store/rows.ts'
import { listNamed } from '../store/source-links.ts'
import { insertLinks } from '../store/source-nodes.ts'
import { type DocumentKey, type SourceRows, toLinkRow } from './source-rows.ts'

type Origin = Pick<SourceRows, 'sourceKind' | 'sourceRoot' | 'at'>

/** A document with what its links point to. */
export interface Linking {
  readonly entityId: string
  readonly path: string
  readonly targets: readonly Pick<SourceTarget, 'target' | 'tail'>[]
  readonly origin: Origin
}

/** The last segment of a path. */
export const toTail = (target: string) => target.slice(target.lastIndexOf('/') + 1)

/** Inserts the links to what the targets of documents resolve to. Returns the number of each. */
export async function insertResolved(
  db: Db,
  source: Omit<DocumentKey, 'path'>,
  documents: readonly Linking[],
): Promise<number[]> {
  const names = documents.flatMap(({ targets }) => targets.flatMap((one) => [one.target, one.tail]))
  const named = groupByName(await listNamed(db, { ...source, names: [...new Set(names)] }))
  const links = documents.map(({ entityId, path, targets, origin }) => {
    const targetIds = targets.map(({ target, tail }) => resolve(named, target, tail))
    const ids = new Set(targetIds.filter((id) => id !== undefined && id !== entityId))
    return [...ids].map((to) =>
      toLinkRow({ ...source, path }, { from: entityId, to: to ?? '', type: 'links_to' }, origin),
    )
  })
  await insertLinks(db, links.flat())
  return links.map(({ length }) => length)
}

type Named = ReadonlyMap<string, readonly SourceName[]>

function groupByName(names: readonly SourceName[]): Named {
  return Map.groupBy(names, ({ name }) => name)
}

/** By path, then by a file name that one document has, then by an alias of one document. */
function resolve(named: Named, target: string, tail: string): string | undefined {
  const only = (rank: number, name: string) => {
    const matches = (named.get(name) ?? []).filter((one) => one.rank === rank)
    return matches.length === 1 ? matches[0]?.entityId : undefined
  }
  return only(0, target) ?? only(1, tail) ?? only(2, target)
}
