import { z } from 'zod'
import * as value from '../../../kernel/http/wire-values.ts'
import { toEntityType } from '../entity.ts'

const limit = value.integer('limit', { min: 1, max: 200, default: 50 })
const offset = value.integer('offset', { min: 0, max: 1_000_000, default: 0 })

/** One of the words, in any case; a blank value is the default. */
function oneOf<const Word extends string, Default extends Word | undefined>(
  name: string,
  words: readonly Word[],
  byDefault: Default,
) {
  return value.text
    .meta({ type: 'string', enum: [...words] })
    .transform((input, context): Word | Default => {
      if (input === undefined) return byDefault
      const word = words.find((one) => one === input.toLowerCase())
      const message = `${name} is invalid. Use one of: ${words.join(', ')}.`
      if (!word) context.issues.push({ code: 'custom', message, input })
      return word ?? byDefault
    })
}

const statuses = ['all', 'active', 'superseded', 'deleted'] as const
const status = oneOf('status', statuses, 'active')
const kind = oneOf('kind', ['attribute', 'constraint', 'claim'], undefined)
const entity = value.required('entity')
const aspect = value.required('aspect')
const claim = value.required('claim')

export const entitiesQuery = z.object({
  ...value.ignoredAgent,
  q: value.text,
  type: value.text.transform((type) => (type === undefined ? undefined : toEntityType(type))),
  limit,
  offset,
})
export const entityQuery = z.object({ ...value.ignoredAgent, name: value.required('name') })
export const treeQuery = z.object({
  ...value.ignoredAgent,
  entity,
  depth: value.integer('depth', { min: 1, max: 3, default: 3 }),
  max_aspects: value.integer('max_aspects', { min: 1, max: 100, default: 20 }),
  max_groups: value.integer('max_groups', { min: 1, max: 100, default: 20 }),
  max_claims: value.integer('max_claims', { min: 1, max: 200, default: 50 }),
})
export const aspectsQuery = z.object({ ...value.ignoredAgent, entity })
export const groupsQuery = z.object({ ...value.ignoredAgent, entity, aspect })
export const claimsQuery = z.object({ ...value.ignoredAgent, entity, aspect, group: value.text })
export const attributesQuery = z.object({
  ...value.ignoredAgent,
  entity,
  aspect,
  group: value.text,
  claim,
  status,
  kind,
  limit,
  offset,
})

export const agentQuery = z.object(value.ignoredAgent)
export const byId = z.object({ id: z.string() })
export const byAspect = z.object({ id: z.string(), aspectId: z.string() })
export const valuesQuery = z.object({ ...value.ignoredAgent, status, kind, limit, offset })
export const dependenciesQuery = z.object({
  ...value.ignoredAgent,
  direction: oneOf('direction', ['incoming', 'outgoing', 'both'], 'both'),
  limit,
})
export const expandBody = z.object({
  ...value.ignoredAgent,
  entity,
  aspect: value.text,
  maxTokens: value.integer('maxTokens', { min: 1, max: 10_000, default: undefined }),
  max_tokens: value.integer('max_tokens', { min: 1, max: 10_000, default: 2_000 }),
})
export const claimEvidenceQuery = z.object({
  ...value.ignoredAgent,
  entity,
  aspect,
  group: value.required('group'),
  claim,
  status,
  kind,
  limit: value.integer('limit', { min: 1, max: 200, default: 20 }),
  offset,
})
export const versionsQuery = z.object({
  ...value.ignoredAgent,
  entity,
  aspect,
  group: value.text,
  claim,
})
