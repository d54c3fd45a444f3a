import type { DescribedEntity } from '../../recall/index.ts'
import type { FocalClaim } from '../store/best-claims.ts'
import type { Focus } from './find-focus.ts'

const maxEntities = 5
const maxAspects = 3
const maxValues = 5
const maxCharacters = 4_000

/** Entities with their most important values. The claims begin with the most important. */
export function describeFocal(
  focal: readonly Focus[],
  claims: readonly FocalClaim[],
): readonly DescribedEntity[] {
  const byEntity = Map.groupBy(claims, ({ entityId }) => entityId)
  let characters = 0
  const fits = ({ content }: { readonly content: string }) => {
    characters += content.length
    return characters <= maxCharacters
  }
  return focal.slice(0, maxEntities).flatMap(({ entityType, id, isExact, name }) => {
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
    const nonEmpty = aspects.filter(({ attributes }) => attributes.length > 0)
    return nonEmpty.length === 0 ? [] : [{ id, name, type: entityType, isExact, aspects: nonEmpty }]
  })
}
