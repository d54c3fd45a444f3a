import type { StaleItem } from '../kinds/kind.ts'
import type { SourceEntry } from '../source.ts'
import { ownerOf } from '../source.ts'
import { listPaths } from '../store/artifacts.ts'
import { type RemoveNeeds, removeItem } from './index-item.ts'

const pageSize = 500

/** The path of an item whose part this is: `…/issues/7` of `…/issues/7#comment-12`. */
export const toItemPath = (path: string) => path.split('#', 1)[0] ?? path

interface StaleRows {
  readonly isSeen: (path: string) => boolean
  readonly prefix: string
  /** Also failures of items that did not fail in this run. */
  readonly withFailures: boolean
}

/** Items that no predicate has seen. */
export async function listUnseen(
  { db }: Pick<RemoveNeeds, 'db'>,
  source: SourceEntry,
  { isSeen, prefix, withFailures }: StaleRows,
): Promise<StaleItem[]> {
  const failures = `${source.id}/failures/`
  const unseen: StaleItem[] = []
  for await (const item of listBelow(db, source, prefix))
    if (!isSeen(item.path) && !item.path.startsWith(failures)) unseen.push(item)
  if (withFailures)
    for await (const item of listBelow(db, source, failures))
      if (!isSeen(item.path)) unseen.push(item)
  return unseen
}

async function* listBelow(
  db: RemoveNeeds['db'],
  source: SourceEntry,
  prefix: string,
): AsyncGenerator<StaleItem> {
  const agentId = ownerOf(source)
  for (let after = ''; ; ) {
    const page = await listPaths(db, source.id, { agentId, after, limit: pageSize, prefix })
    for (const { sourcePath: path, sourceMtimeMs: mtimeMs } of page)
      if (path.startsWith(prefix)) yield { path, mtimeMs }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.sourcePath
  }
}

/** Removes an item with all below it. */
export async function removeBelow(
  needs: RemoveNeeds,
  source: SourceEntry,
  path: string,
): Promise<void> {
  const key = { agentId: ownerOf(source), sourceId: source.id }
  const all = { isSeen: () => false, withFailures: false, prefix: `${path}/` }
  for (const below of await listUnseen(needs, source, all))
    await removeItem(needs, { ...key, sourcePath: below.path })
  await removeItem(needs, { ...key, sourcePath: path })
}
