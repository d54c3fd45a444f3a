import { z } from 'zod'
import { ignored, text } from '../../kernel/http/wire-values.ts'
import { findNul, ifVersion, nonBlank, reason, tags, wellFormed } from './wire-fields.ts'

const contentRule = 'content must be a non-empty string'
const typeRule = 'type must be a non-empty string'
const importanceRule = 'importance must be a finite number between 0 and 1'
const mutable = ['content', 'type', 'tags', 'importance', 'pinned'] as const

const patch = {
  content: nonBlank(contentRule).optional(),
  type: nonBlank(typeRule).optional(),
  tags,
  importance: z.number(importanceRule).min(0, importanceRule).max(1, importanceRule).optional(),
  pinned: z.boolean('pinned must be a boolean').optional(),
  if_version: ifVersion,
}

export const updateBody = z
  .object(
    { reason, ...patch, changed_by: text, agentId: ignored, agent_id: ignored },
    'Invalid JSON body',
  )
  .meta({ anyOf: mutable.map((field) => ({ required: [field] })) })
  .transform(({ if_version: ifVersion, changed_by, agentId, agent_id, ...input }, context) => {
    const fields = wellFormed(input)
    const nul = findNul(fields)
    if (nul) context.addIssue(`${nul} must not contain NUL`)
    if (mutable.every((field) => fields[field] === undefined))
      context.addIssue(`at least one of ${mutable.join(', ')} is required`)
    return { ...fields, ifVersion }
  })
