import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

type Direction = 'incoming' | 'outgoing' | 'both'

interface LinkPage {
  readonly entityId: string
  readonly direction: Direction
  readonly limit: number
}

/** Active links between live entities with their names, the strongest first. */
export async function listNamedLinks(db: Db, agentId: string, page: LinkPage) {
  const { entityId, direction, limit } = page
  const links = (end: 'link.sourceEntityId' | 'link.targetEntityId') =>
    tables(db)
      .selectFrom('entityDependencies as link')
      .innerJoin('entities as source', 'source.id', 'link.sourceEntityId')
      .innerJoin('entities as target', 'target.id', 'link.targetEntityId')
      .selectAll('link')
      .select(['source.name as sourceEntityName', 'target.name as targetEntityName'])
      .where(end, '=', entityId)
      .where('link.agentId', '=', agentId)
      .where('link.status', '=', 'active')
      .where('link.withheldAt', 'is', null)
      .where('source.withheldAt', 'is', null)
      .where('target.withheldAt', 'is', null)
      .orderBy('link.strength', 'desc')
      .orderBy('link.id')
      .limit(limit)
      .execute()
  const outgoing = direction === 'incoming' ? [] : await links('link.sourceEntityId')
  const incoming = direction === 'outgoing' ? [] : await links('link.targetEntityId')
  return [
    ...outgoing.map((link) => ({ ...link, direction: 'outgoing' as const })),
    ...incoming.map((link) => ({ ...link, direction: 'incoming' as const })),
  ].slice(0, limit)
}
