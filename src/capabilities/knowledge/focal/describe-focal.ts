import type { Db } from '../../../kernel/db/database.ts'
import type { DescribedEntity } from '../../recall/index.ts'
import { listBestClaims } from '../store/focal.ts'
import { findFocus } from './find-focus.ts'
import { listNameCandidates } from './names-in-text.ts'

const maxEntities = 5
const maxAspects = 3
const maxValues = 5
const maxCharacters = 4_000
const claimsPerEntity = 50

/** The entities that a question names, with their most important values. */
export async function describeFocal(
  db: Db,
  agentId: string,
  text: string,
): Promise<readonly DescribedEntity[]> {
  const candidates = listNameCandidates(text)
  const focal = (await findFocus(db, agentId, candidates)).slice(0, maxEntities)
  const entityIds = focal.map(({ id }) => id)
  const claims = await listBestClaims(db, agentId, { entityIds, limit: claimsPerEntity })
  const byEntity = Map.groupBy(claims, ({ entityId }) => entityId)
  let characters = 0
  const fits = ({ content }: { readonly content: string }) => {
    characters += content.length
    return characters <= maxCharacters
  }
  return focal.flatMap(({ entityType, id, isExact, name }) => {
    const byAspect = Map.groupBy(byEntity.get(id) ?? [], ({ aspectName }) => aspectName)
    const aspects = [...byAspect].slice(0, maxAspects).map(([aspect, values]) => ({
      name: aspect,
      attributes: values
        .slice(0, maxValues)
        .filter(fits)
        .map(({ claimKey, content, importance, status }) => ({
          claimKey,
          content,
          status,
          importance,
        })),
    }))
    const filled = aspects.filter(({ attributes }) => attributes.length > 0)
    return filled.length === 0 ? [] : [{ id, name, type: entityType, isExact, aspects: filled }]
  })
}
