import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { itemTypes } from './transfer/item.ts'

const maxItems = 500

export const exportQuery = z.object({
  ...value.ignoredAgent,
  cursor: value.text.describe('`next` of the page before.'),
  limit: value.integer('limit', { min: 1, max: maxItems, default: maxItems }),
})
export const exportReply = z.object({
  version: z.literal(1),
  items: z.array(z.looseObject({ type: z.enum(itemTypes) })),
  next: z.string().nullable(),
})
export const importBody = z.object({
  ...value.ignoredAgent,
  items: z
    .array(z.unknown(), 'items is required')
    .min(1, 'items is required')
    .max(maxItems, `items must have at most ${maxItems} items`)
    .meta({ examples: [[{ type: 'entity', name: 'Orchard', entity_type: 'project' }]] }),
})
export const importReply = z.object({
  created: z.int(),
  existing: z.int(),
  rejected: z.array(z.object({ index: z.int(), error: z.string() })).readonly(),
})
export const rebuildBody = z.object(value.ignoredAgent)
export const rebuildReply = z.object({ entities: z.int() })
