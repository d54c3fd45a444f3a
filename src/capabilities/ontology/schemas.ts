import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import * as value from '../../kernel/http/wire-values.ts'
import { operationRule, proposableOperations, storedOperations } from './operations/catalogue.ts'
import { type Actor, maxOperations } from './operations/request.ts'
import { maxProposals, proposalStatuses } from './proposal.ts'

export const limit = value.integer('limit', { min: 1, max: 200, default: 50 })
export const offset = value.integer('offset', { min: 0, max: 10_000, default: 0 })

/** One of the words, in any case. */
export function oneOf<const Word extends string>(name: string, words: readonly Word[]) {
  return value.text
    .meta({ type: 'string', enum: [...words] })
    .transform((input, context): Word | undefined => {
      if (input === undefined) return undefined
      const word = words.find((one) => one === input.toLowerCase())
      const message = `${name} is invalid. Use one of: ${words.join(', ')}.`
      if (!word) context.issues.push({ code: 'custom', message, input })
      return word
    })
}

/** Read by the operation of the proposal. */
const payload = z
  .record(z.string(), z.unknown(), 'payload is required')
  .refine((fields) => Object.keys(fields).length > 0, 'payload is required')
  .meta({ minProperties: 1, examples: [{ name: 'Atlas' }] })
const evidence = z.array(z.unknown(), 'evidence must be an array').nullish()
const example = { operation: 'create_entity', payload: { name: 'Atlas' } }

/** Each is checked by `parseOperation`, which names the invalid one. */
const items = (name: string, max: number) =>
  z
    .array(z.unknown(), `${name} is required`)
    .min(1, `${name} is required`)
    .max(max, `${name} must have at most ${max} items`)
    .meta({ examples: [[example]] })

/** The fields of one operation. Their values are checked by `parseOperation`. */
const operationFields = {
  operation: z.enum(proposableOperations, operationRule).meta({ examples: ['create_entity'] }),
  payload,
  evidence,
  confidence: z.unknown().meta({ type: 'number' }).optional(),
  rationale: value.cleanText,
  risk: value.cleanText,
  source_kind: value.cleanText,
  source_id: value.cleanText,
  source_path: value.cleanText,
  source_root: value.cleanText,
}

export const byId = z.object({ id: z.string() })
/** `x-ids` names the route that lists ids by prefix, for the command line. */
export const byProposal = z.object({
  id: z.string().meta({ 'x-ids': 'GET /api/ontology/proposals' }),
})
export const byAlias = z.object({ id: z.string(), aliasId: z.string() })
export const agentQuery = z.object(value.ignoredAgent)
export const proposalsQuery = z.object({
  ...value.ignoredAgent,
  status: oneOf('status', proposalStatuses),
  operation: oneOf('operation', storedOperations),
  id_prefix: value.idPrefix.describe('The first characters of an id, at least six.').optional(),
  limit,
  offset,
})
export const conflictsQuery = z.object({
  ...value.ignoredAgent,
  limit: value.integer('limit', { min: 1, max: 1000, default: 500 }),
})
export const proposalBody = z.object({
  ...value.ignoredAgent,
  ...operationFields,
  created_by: value.cleanText,
})
export const proposalsBody = z.object({
  ...value.ignoredAgent,
  proposals: items('proposals', maxProposals),
  source_kind: value.cleanText,
  source_id: value.cleanText,
  source_path: value.cleanText,
  source_root: value.cleanText,
  created_by: value.cleanText,
})
export const reasonBody = z.object({
  ...value.ignoredAgent,
  actor: value.cleanText,
  reason: value.cleanText,
})
export const applyBody = z.object({
  ...value.ignoredAgent,
  actor: value.cleanText,
  dry_run: value.flag,
})
export const undoBody = z.object({
  ...value.ignoredAgent,
  actor: value.cleanText,
  reason: value.cleanText,
  dry_run: value.flag,
})
export const undoBatchBody = z.object({ ...undoBody.shape, batch_id: value.required('batch_id') })
export const operationBody = z.object({
  ...value.ignoredAgent,
  ...operationFields,
  actor: value.cleanText,
  dry_run: value.flag,
  propose: value.flag,
})
export const operationsBody = z.object({
  ...value.ignoredAgent,
  operations: items('operations', maxOperations),
  actor: value.cleanText,
  dry_run: value.flag,
  propose: value.flag,
})
export const repairBody = z.object({
  ...value.ignoredAgent,
  limit: value.integer('limit', { min: 1, max: 100, default: 25 }),
  write_proposals: value.flag,
  created_by: value.cleanText,
})
export const planBody = z
  .object({
    ...value.ignoredAgent,
    target: value.text,
    target_id: value.text,
    sources: value.list,
    source_ids: value.list,
  })
  .meta(value.anyText('target', 'target_id'))
export const aliasesQuery = z.object({
  ...value.ignoredAgent,
  status: oneOf('status', ['active', 'archived', 'all']),
})
export const aliasBody = z.object({
  ...value.ignoredAgent,
  alias: value.requiredCleanText('alias'),
  confidence: value.number,
  source: value.cleanText,
  actor: value.cleanText,
})
export const splitBody = z.object({
  ...value.ignoredAgent,
  name: value.requiredCleanText('name'),
  entity_type: value.text,
  aspect_ids: value.list,
  attribute_ids: value.list,
  link_ids: value.list,
  alias_ids: value.list,
  actor: value.cleanText,
  dry_run: value.flag,
})
export const mergeBody = z.object({
  ...value.ignoredAgent,
  sources: value.list,
  source_ids: value.list,
  force: value.flag,
  actor: value.cleanText,
  dry_run: value.flag,
})
export const contradictionsQuery = z.object({
  ...value.ignoredAgent,
  status: oneOf('status', ['open', 'reconciled', 'all']),
  limit,
})

/** An agent cannot write under another name. */
export function actorOf(
  { name, role, actorType }: Pick<Caller, 'name' | 'role' | 'actorType'>,
  requested?: string,
): Actor {
  return { name: role === 'agent' ? name : (requested ?? name), type: actorType }
}
