import { compileSelectOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Claim } from '../claim.ts'
import { tables } from './rows.ts'

const columns = [
  'id',
  'entityId',
  'memoryId',
  'kind',
  'content',
  'groupKey',
  'claimKey',
  'confidence',
  'importance',
  'status',
  'sourceKind',
] as const

/** What recall and hooks read of a claim, with the name of its aspect. */
export type FocalClaim = Pick<Claim, (typeof columns)[number]> & { readonly aspectName: string }

interface Page {
  readonly entityIds: readonly string[]
  /** For each entity. */
  readonly limit: number
}

/** The entities of one statement: each has a select of its own, which stops at its limit. */
const places = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
type Place = (typeof places)[number]

type Best = Readonly<Record<Place, string>> & Pick<Page, 'limit'> & { readonly agentId: string }

/** The best active claims of each entity, the most important first. */
export async function listBestClaims(
  db: Db,
  agentId: string,
  { entityIds, limit }: Page,
): Promise<FocalClaim[]> {
  const pages: Promise<FocalClaim[]>[] = []
  for (let at = 0; at < entityIds.length; at += places.length) {
    const ids = places.map((place, index) => [place, entityIds[at + index] ?? ''] as const)
    const arms = Object.fromEntries(ids) as Record<Place, string>
    pages.push(selectBest(db, { agentId, limit, ...arms }))
  }
  return (await Promise.all(pages)).flat().toSorted(byImportance)
}

export function byImportance(a: FocalClaim, b: FocalClaim): number {
  return b.importance - a.importance || (a.id < b.id ? -1 : 1)
}

const selectBest = compileSelectOnce((db, { agentId, limit, ...arms }: Best) => {
  const best = (entityId: string) => {
    const page = tables(db)
      .selectFrom('entityAttributes as claim')
      .innerJoin('entityAspects as aspect', 'aspect.id', 'claim.aspectId')
      .select(columns.map((column) => `claim.${column}` as const))
      .select('aspect.name as aspectName')
      .where('claim.entityId', '=', entityId)
      .where('claim.agentId', '=', agentId)
      .where('claim.status', '=', 'active')
      .where('claim.withheldAt', 'is', null)
      .orderBy('claim.importance', 'desc')
      .orderBy('claim.id')
      .limit(limit)
    return tables(db).selectFrom(page.as('page')).selectAll()
  }
  const [first, ...rest] = places.map((place) => best(arms[place]))
  if (!first) throw new Error('A statement has no entity.')
  return rest.reduce((union, other) => union.unionAll(other), first)
})
