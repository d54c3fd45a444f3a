import type { Db } from '../../../kernel/db/database.ts'
import type { SourceName } from '../store/rows.ts'
import { listNamed, listTargetsOf } from '../store/source-links.ts'
import { deleteLinks, insertLinks } from '../store/source-nodes.ts'
import { type DocumentKey, type SourceRows, toLinkRow } from './source-rows.ts'

type Origin = Pick<SourceRows, 'sourceKind' | 'sourceRoot' | 'at'>

/** The last segment of a path. */
export const toTail = (target: string) => target.slice(target.lastIndexOf('/') + 1)

/** Makes the links of a document those that its targets resolve to. Returns their number. */
export async function resolveLinks(
  db: Db,
  key: DocumentKey,
  { entityId, origin }: { readonly entityId: string; readonly origin: Origin },
): Promise<number> {
  await deleteLinks(db, [entityId], { end: 'sourceEntityId', type: 'links_to' })
  const targets = await listTargetsOf(db, entityId)
  const names = targets.flatMap(({ target, tail }) => [target, tail])
  const named = await listNamed(db, { ...key, names: [...new Set(names)] })
  const found = targets.map(({ target, tail }) => resolve(named, target, tail))
  const ids = new Set(found.filter((id) => id !== undefined && id !== entityId))
  const links = [...ids].map((to) =>
    toLinkRow(key, { from: entityId, to: to ?? '', type: 'links_to' }, origin),
  )
  await insertLinks(db, links)
  return links.length
}

/** By path, then by a file name that one document has, then by an alias of one document. */
function resolve(named: readonly SourceName[], target: string, tail: string): string | undefined {
  const only = (rank: number, name: string) => {
    const matches = named.filter((one) => one.rank === rank && one.name === name)
    return matches.length === 1 ? matches[0]?.entityId : undefined
  }
  return only(0, target) ?? only(1, tail) ?? only(2, target)
}
