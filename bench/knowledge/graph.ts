import type { Call } from '../support/client.ts'
import { createRows } from '../support/rows.ts'

export interface Size {
  readonly memories: number
  readonly entities: number
  readonly claims: number
}

/** One entity has this many claims, or a tenth of all. */
const maxOfLarge = 5_000
const aspectsOfLarge = 10
const batchLength = 100
const maxApplied = 2_000
const rows = createRows()

/** Names of four letters or more, each of one entity. */
export function nameOf(entity: number): string {
  let letters = ''
  for (let left = entity, at = 0; at < 4; at++, left = Math.floor(left / 20))
    letters += 'bcdfghjklmnpqrstvwxz'[left % 20]
  return `Tarn ${letters[0]?.toUpperCase()}o${letters[1]}a${letters[2]}e${letters[3]}`
}

export const contentOf = (memory: number, { entities }: Size) =>
  `${rows.content(memory)} ${nameOf(memory % entities)}`

/** Three words of memories and an entity. */
export const questionOf = (number: number, { entities }: Size) =>
  `${rows.question(number)} ${nameOf((number * 31) % entities)}`

export interface Operation {
  readonly operation: string
  readonly payload: object
  readonly evidence?: readonly object[]
}

/** Claim n of the graph; the first ones are those of the large entity. */
export function claimOf(number: number, size: Size, memoryIds: readonly string[]): Operation {
  const ofLarge = Math.min(maxOfLarge, size.claims / 10)
  const isOfLarge = number < ofLarge
  const entity = isOfLarge ? 0 : 1 + ((number - ofLarge) % (size.entities - 1))
  const aspect = isOfLarge
    ? `aspect ${number % aspectsOfLarge}`
    : `aspect ${Math.floor((number - ofLarge) / (size.entities - 1)) % 3}`
  return {
    operation: 'add_claim_value',
    payload: {
      entity: nameOf(entity),
      aspect,
      claim_key: `key ${isOfLarge ? number % 500 : number % 7}`,
      value: `${rows.question(number)} is value ${number} of ${nameOf(entity)}`,
    },
    evidence: [{ memory_id: memoryIds[number % memoryIds.length] }],
  }
}

/** Two links of each entity. */
export function linkOf(number: number, { entities }: Size): Operation {
  const source = number % entities
  const step = number < entities ? 1 : 7
  return {
    operation: 'create_link',
    payload: {
      source_entity: nameOf(source),
      target_entity: nameOf((source + step) % entities),
      link_type: 'uses',
      strength: 0.8,
    },
  }
}

/** Applies new values of the seeded slots in batches. Returns the claims a second. */
export async function applyBatches(
  call: Call,
  size: Size,
  memoryIds: readonly string[],
): Promise<number> {
  const count = Math.min(maxApplied, size.claims)
  const started = performance.now()
  for (let at = 0; at < count; at += batchLength) {
    const operations = Array.from({ length: batchLength }, (_, index) =>
      renew(claimOf(size.claims - 1 - at - index, size, memoryIds), 'in a batch'),
    )
    await call('POST /api/ontology/operations/batch', { operations })
  }
  return (1000 * count) / (performance.now() - started)
}

/** Another value of the same slot. */
export function renew({ payload, ...rest }: Operation, suffix: string): Operation {
  const { value, ...slot } = payload as Readonly<Record<string, unknown>>
  return { ...rest, payload: { ...slot, value: `${value} ${suffix}` } }
}
