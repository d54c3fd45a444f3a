import { isDependencyType, toCanonicalKey } from '../../knowledge/index.ts'
import { readStructured, renderAttribute, renderEntity } from '../evidence/render.ts'
import type { Draft } from './read-text.ts'

const defaultConfidence = 0.7
const rationale = 'The structured payload of the memory states it.'

/** Drafts of the payload that came with a memory. Quotes are its rendered lines. */
export function draftStructured(evidence: Readonly<Record<string, unknown>> | null): Draft[] {
  const { entities, aspects } = readStructured(evidence)
  const links = entities.flatMap((entity): Draft[] => {
    const { source, sourceType, relationship, target, targetType, confidence } = entity
    const key = toCanonicalKey(relationship)
    const linkType = isDependencyType(key) ? key : 'related_to'
    const shared = {
      confidence: confidence ?? defaultConfidence,
      rationale,
      quote: renderEntity(entity),
    }
    const ends = [
      { name: source, entity_type: sourceType },
      { name: target, entity_type: targetType },
    ]
    return [
      ...ends.map((payload) => ({ operation: 'create_entity', payload, ...shared })),
      {
        operation: 'create_link',
        payload: {
          source_entity: source,
          target_entity: target,
          link_type: linkType,
          reason: relationship,
        },
        ...shared,
      },
    ]
  })
  const claims = aspects.flatMap((aspect) =>
    aspect.attributes.map((attribute): Draft => {
      const { groupKey, claimKey, content, confidence, importance } = attribute
      return {
        operation: 'add_claim_value',
        payload: {
          entity: aspect.entityName,
          entity_type: aspect.entityType,
          aspect: aspect.aspect,
          group: groupKey,
          claim_key: claimKey ?? toCanonicalKey(content.slice(0, 60)),
          value: content,
          importance,
        },
        confidence: confidence ?? defaultConfidence,
        rationale,
        quote: renderAttribute(aspect, attribute),
      }
    }),
  )
  return [...links, ...claims]
}
