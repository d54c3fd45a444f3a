import { z } from 'zod'
import { classifyName, toCanonicalName } from '../../knowledge/index.ts'
import { compareValues } from '../../ontology/index.ts'
import { capability, type DreamCapability } from './capability.ts'

const maxNames = 20_000
const id = z.string().min(1).max(200)
const page = {
  limit: z.int().min(1).max(200).default(50),
  offset: z.int().min(0).max(100_000).default(0),
}

/** Reads of the graph. */
export const graphReaders: readonly DreamCapability[] = [
  capability({
    id: 'search_entities',
    title: 'Search entities',
    description: 'Find entities by a part of their name, with their counts.',
    readOnly: true,
    input: z.strictObject({
      query: z.string().max(200).optional(),
      type: z.string().max(100).optional(),
      limit: z.int().min(1).max(100).default(20),
      offset: page.offset,
    }),
    run: async ({ needs, agentId }, { query: text, type: entityType, limit, offset }) => {
      const request = { agentId, text, entityType, limit, offset }
      const { items } = await needs.knowledge.reader.readEntities(needs.db, request)
      return {
        items: items.map(({ entity, ...counts }) => ({
          id: entity.id,
          name: entity.name,
          entityType: entity.entityType,
          ...counts,
        })),
      }
    },
  }),
  capability({
    id: 'get_entity',
    title: 'Read an entity',
    description: 'Read an entity with its aspects.',
    readOnly: true,
    input: z.strictObject({ entityId: id }),
    run: async ({ needs, agentId }, { entityId }) => {
      const { reader } = needs.knowledge
      const entity = await reader.selectEntity(needs.db, agentId, { id: entityId })
      const { items: aspects } = await reader.readAspects(needs.db, entity)
      return { ...(await reader.readDetail(needs.db, entity)), aspects }
    },
  }),
  capability({
    id: 'list_aspect_claims',
    title: 'List the claims of an aspect',
    description: 'List the active values of an aspect with their slots.',
    readOnly: true,
    input: z.strictObject({ entityId: id, aspectId: id, ...page }),
    run: async ({ needs, agentId }, { entityId, aspectId, limit, offset }) => {
      const { reader } = needs.knowledge
      const entity = await reader.selectEntity(needs.db, agentId, { id: entityId })
      const aspect = await reader.selectAspect(needs.db, entity, { id: aspectId })
      const filter = { status: 'active', kind: undefined, limit, offset } as const
      const { items } = await reader.readValues(needs.db, aspect, filter)
      return { items }
    },
  }),
  capability({
    id: 'walk_links',
    title: 'List the links of an entity',
    description: 'List the links from and to an entity, with the names of both ends.',
    readOnly: true,
    input: z.strictObject({
      entityId: id,
      direction: z.enum(['incoming', 'outgoing', 'both']).default('both'),
    }),
    run: async ({ needs, agentId }, { entityId, direction }) => {
      const { reader } = needs.knowledge
      await reader.selectEntity(needs.db, agentId, { id: entityId })
      const request = { entityId, direction, limit: 200 }
      return { items: await reader.listNamedLinks(needs.db, agentId, request) }
    },
  }),
  capability({
    id: 'get_claim_evidence',
    title: 'Read the evidence of a claim',
    description: 'List the values of a claim slot with the quotes that support them.',
    readOnly: true,
    input: z.strictObject({
      entity: id,
      aspect: id,
      group: z.string().min(1).max(200),
      claim: id,
      ...page,
    }),
    run: ({ needs, agentId }, input) => {
      const path = { ...input, status: 'active', kind: undefined } as const
      return needs.knowledge.reader.readClaimEvidence(needs.db, { agentId }, path)
    },
  }),
  capability({
    id: 'get_link_evidence',
    title: 'Read the evidence of a link',
    description: 'Read a link with the quotes that support it.',
    readOnly: true,
    input: z.strictObject({ id }),
    run: ({ needs, agentId }, input) =>
      needs.knowledge.reader.readLinkEvidence(needs.db, { agentId }, input.id),
  }),
  capability({
    id: 'check_entity_label',
    title: 'Check a name',
    description: 'Check whether a name, and its type, can be those of an entity.',
    readOnly: true,
    input: z.strictObject({ name: z.string().max(400), type: z.string().max(100).optional() }),
    run: async (_, { name, type }) => ({ result: classifyName(name, type) }),
  }),
  capability({
    id: 'find_duplicate_entities',
    title: 'Find duplicates of a name',
    description: 'List entities whose name or alias is nearly this one.',
    readOnly: true,
    input: z.strictObject({ name: z.string().min(1).max(400) }),
    run: async ({ needs, agentId }, { name }) => {
      const names = await needs.knowledge.ledger.listNames(needs.db, agentId, maxNames)
      const key = toPlainKey(name)
      const found = names.filter((entity) =>
        [entity.name, ...entity.aliases].some((one) => toPlainKey(one) === key),
      )
      return {
        items: found.slice(0, 50).map(({ id, name, entityType, mentions, pinned }) => ({
          id,
          name,
          entityType,
          mentions,
          pinned: pinned === 1,
        })),
      }
    },
  }),
  capability({
    id: 'check_contradiction',
    title: 'Check for contradictions',
    description: 'Compare a value with the active values of an aspect.',
    readOnly: true,
    input: z.strictObject({ entityId: id, aspectId: id, value: z.string().min(1).max(8_000) }),
    run: async ({ needs, agentId }, { entityId, aspectId, value }) => {
      const claims = await needs.knowledge.ledger.listClaimsOf(needs.db, agentId, [entityId])
      const active = claims.filter((one) => one.status === 'active' && one.aspectId === aspectId)
      return {
        items: active.slice(0, 50).map(({ id: attributeId, content }) => ({
          attributeId,
          content,
          ...compareValues(content, value),
        })),
      }
    },
  }),
]

/** Letters and digits only, without a possessive. */
function toPlainKey(name: string): string {
  return toCanonicalName(name)
    .replace(/['’]s$/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
