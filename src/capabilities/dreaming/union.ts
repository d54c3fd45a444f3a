import { toCanonicalName } from '../knowledge/index.ts'

type Payload = Readonly<Record<string, unknown>>

/** A request item of the union of Dreaming. */
export interface DreamOperation {
  readonly operation: string
  readonly payload: Payload
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Operations that only remove or fold: they may cite attention in place of a quote. */
export const hygieneOperations: ReadonlySet<string> = new Set([
  'archive_entity',
  'archive_aspect',
  'archive_claim_value',
  'archive_link',
  'merge_entities',
])

/** Operations of the queue of attention, which change no graph. */
export const queueOperations: ReadonlySet<string> = new Set(['flag', 'decline_attention'])

export const dreamOperationNames = [
  ...queueOperations,
  ...hygieneOperations,
  'create_entity',
  'rename_entity',
  'create_aspect',
  'rename_aspect',
  'add_claim_value',
  'set_claim_value',
  'supersede_claim_value',
  'create_link',
  'update_link',
  'create_policy',
  'create_action_type',
  'create_interface',
] as const

/** The payload as the catalogue of the graph reads it. Its own spelling is accepted too. */
export function toGraphPayload({ operation, payload }: DreamOperation): Payload {
  const translate = translations[operation]
  return withoutEmpty({ ...payload, ...translate?.(payload) })
}

type Translate = (payload: Payload) => Payload

const reference = /^(?:entity|aspect|attribute|link):/

/** `atlas` selects by name; a UUID and `entity:<id>` select by id. */
function select(name: string, value: unknown): Payload {
  if (typeof value !== 'string' || value.trim() === '') return {}
  const text = value.trim().replace(reference, '')
  return text !== value.trim() || uuid.test(text) ? { [`${name}_id`]: text } : { [name]: text }
}

const entityOf: Translate = (payload) => ({
  entityId: undefined,
  ...select('entity', payload['entityId']),
})
const aspectOf: Translate = (payload) => ({
  aspectId: undefined,
  ...select('aspect', payload['aspectId']),
})
const claimOf: Translate = (payload) => ({ ...entityOf(payload), ...aspectOf(payload) })
const bareId = (value: unknown) =>
  typeof value === 'string' ? value.trim().replace(/^\w+:/, '') : undefined

const translations: Readonly<Record<string, Translate>> = {
  archive_entity: (payload) => select('entity', payload['target']),
  archive_aspect: (payload) => ({ ...entityOf(payload), ...select('aspect', payload['target']) }),
  archive_claim_value: ({ target }) => ({ attribute_id: bareId(target) }),
  archive_link: ({ target }) => ({ dependency_id: bareId(target) }),
  merge_entities: ({ targets, survivor }) => {
    const sources = [targets].flat().filter((target) => target !== survivor)
    const texts = sources
      .filter((target) => typeof target === 'string')
      .map((id) => bareId(id) ?? '')
    return {
      targets: undefined,
      survivor: undefined,
      ...select('target', survivor),
      source_ids: texts.filter((text) => uuid.test(text)),
      sources: texts.filter((text) => !uuid.test(text)),
    }
  },
  create_entity: ({ type }) => ({ entity_type: type }),
  rename_entity: entityOf,
  create_aspect: (payload) => ({
    ...entityOf(payload),
    aspect: payload['aspect'] ?? payload['name'],
  }),
  rename_aspect: claimOf,
  add_claim_value: claimOf,
  set_claim_value: claimOf,
  supersede_claim_value: (payload) => ({
    ...claimOf(payload),
    new_value: payload['new_value'] ?? payload['value'],
  }),
  create_link: ({ fromEntityId, toEntityId, linkType }) => ({
    fromEntityId: undefined,
    toEntityId: undefined,
    ...select('source_entity', fromEntityId),
    ...select('target_entity', toEntityId),
    link_type: linkType,
  }),
  create_policy: (payload) => ({
    ...entityOf(payload),
    ...select('target_entity', payload['entityId']),
    kind: payload['kind'] ?? payload['name'],
    content: payload['content'] ?? payload['definition'],
  }),
}

/** A field that the translation replaces is `undefined`; one that it lacks stays as it was sent. */
function withoutEmpty(payload: Payload): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
}

/** The rows that an operation of hygiene touches, as attention names them. */
export function listTargets({ operation, payload }: DreamOperation): string[] {
  const kind = { archive_entity: 'entity', archive_aspect: 'aspect', archive_link: 'link' }[
    operation
  ]
  if (operation === 'merge_entities')
    return [payload['targets'] ?? [], payload['survivor'] ?? []]
      .flat()
      .map((id) => `entity:${bareId(id) ?? ''}`)
  return [`${kind ?? 'attribute'}:${bareId(payload['target']) ?? ''}`]
}

/** Whether an attention item is about all these rows. */
export function isAbout(
  { subjectRef, details }: { readonly subjectRef: string; readonly details: string },
  targets: readonly string[],
): boolean {
  const { ids = '' } = JSON.parse(details) as Record<string, string>
  const group = new Set([subjectRef, ...ids.split(',').map((id) => `entity:${id.trim()}`)])
  const canonical = subjectRef.startsWith('duplicate:') ? subjectRef.slice(10) : undefined
  const isNamed = (target: string) =>
    canonical !== undefined && toCanonicalName(target.replace(/^entity:/, '')) === canonical
  return targets.every((target) => group.has(target) || isNamed(target))
}
