import {
  isDependencyType,
  toCanonicalKey,
  toCanonicalName,
  toKnownType,
} from '../../knowledge/index.ts'
import { readStructured, renderAttribute, renderEntity } from '../evidence/render.ts'
import type { Draft } from './read-text.ts'

const defaultConfidence = 0.7
const rationale = 'The structured payload of the memory states it.'

/** Drafts of the payload that came with a memory. Quotes are its rendered lines. */
export function draftStructured(evidence: Readonly<Record<string, unknown>> | null): Draft[] {
  const { entities, aspects } = readStructured(evidence)
  const typeOf = createTypes(entities)
  const created = new Set<string>()
  const isNew = (name: string) => {
    const canonical = toCanonicalName(name)
    const isFirst = !created.has(canonical)
    created.add(canonical)
    return isFirst
  }
  const links = entities.flatMap((entity): Draft[] => {
    const { source, relationship, target, confidence } = entity
    const key = toCanonicalKey(relationship)
    const linkType = isDependencyType(key) ? key : 'related_to'
    const shared = {
      confidence: confidence ?? defaultConfidence,
      rationale,
      quote: renderEntity(entity),
    }
    const ends = [source, target].filter(isNew).map((name) => ({ name, entity_type: typeOf(name) }))
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
          entity_type: toKnownType(aspect.entityType),
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

type EntityLines = ReturnType<typeof readStructured>['entities']

/** The accepted type that any line of the payload states of an entity. */
function createTypes(entities: EntityLines): (name: string) => string | undefined {
  const types = new Map<string, string>()
  for (const { source, sourceType, target, targetType } of entities)
    for (const [name, stated] of [
      [source, sourceType],
      [target, targetType],
    ] as const) {
      const type = toKnownType(stated)
      if (type !== undefined) types.set(toCanonicalName(name), type)
    }
  return (name) => types.get(toCanonicalName(name))
}
