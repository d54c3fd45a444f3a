import { isMapping } from '../../../kernel/files/read-text.ts'
import { findOperation } from '../operations/catalogue.ts'
import type { JsonObject } from '../proposal.ts'

/** What the fenced JSON of a source proposes. All of it is data from outside. */
export interface FencedInput {
  readonly proposals: readonly FencedItem[]
  readonly assertions: readonly FencedItem[]
  readonly questions: readonly string[]
  readonly warnings: readonly string[]
}

interface FencedItem {
  readonly fields: JsonObject
  /** The block, for the check of quotes. */
  readonly block: string
}

const maxPerBlock = 50
const addsOnly = /^(?:create_|add_|attach_)/
/** Operations of the lists that name no operation. */
const lists: Readonly<Record<string, string>> = {
  entities: 'create_entity',
  claim_values: 'add_claim_value',
  links: 'create_link',
  actions_or_policies: 'create_policy',
}
const droppedFields = new Set(['force', 'id', 'agent_id', 'agentId'])
const isIdField = (name: string) => droppedFields.has(name) || /(?:_id|_ids|Id|Ids)$/.test(name)

export function readFencedJson(blocks: readonly string[]): FencedInput {
  const inputs = blocks.flatMap((block) => {
    const value = parseObject(block.replace(/^\s*json\s*\n/i, ''))
    return value ? [readBlock(value, block)] : []
  })
  return {
    proposals: inputs.flatMap(({ proposals }) => proposals).slice(0, maxPerBlock),
    assertions: inputs.flatMap(({ assertions }) => assertions).slice(0, maxPerBlock),
    questions: inputs.flatMap(({ questions }) => questions).slice(0, maxPerBlock),
    warnings: inputs.flatMap(({ warnings }) => warnings),
  }
}

function readBlock(value: JsonObject, block: string): FencedInput {
  const listed = Object.entries(lists).flatMap(([name, operation]) =>
    toObjects(value[name]).map((payload) => ({ operation, payload })),
  )
  const items = [...toObjects(value['proposals']), ...listed]
  const accepted = items.filter(({ operation }) => mayPropose(operation))
  const warnings =
    accepted.length < items.length
      ? [`${items.length - accepted.length} operations were dropped: only additions are read.`]
      : []
  return {
    proposals: accepted.map((fields) => ({ fields: dropIds(fields), block })),
    assertions: toObjects(value['assertions']).map((fields) => ({
      fields: dropIds(fields),
      block,
    })),
    questions: toTexts(value['questions']),
    warnings,
  }
}

/** Whether text from outside may propose the operation: additions only. */
export function mayPropose(operation: unknown): boolean {
  if (typeof operation !== 'string' || !addsOnly.test(operation)) return false
  const known = findOperation(operation)
  return known !== undefined && known.isAuditOnly !== true
}

/** Ids, owners and force of foreign text have no effect. */
export function dropIds(fields: JsonObject): JsonObject {
  const allowed = Object.entries(fields).filter(([name]) => !isIdField(name))
  const payload = fields['payload']
  const own = isMapping(payload) ? { payload: dropIds(payload) } : {}
  return { ...Object.fromEntries(allowed), ...own }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMapping(value) ? value : undefined
  } catch {
    return undefined
  }
}

function toObjects(input: unknown): JsonObject[] {
  return Array.isArray(input) ? input.filter(isMapping) : []
}

function toTexts(input: unknown): string[] {
  return Array.isArray(input) ? input.filter((item) => typeof item === 'string') : []
}
