import { decideOperations } from '../../src/capabilities/dreaming/rules/decide.ts'
import { readStatements } from '../../src/capabilities/dreaming/rules/read-statements.ts'
import type {
  CurrentClaim,
  EvidenceFragment,
  Fact,
  PlannedOperation,
} from '../../src/capabilities/dreaming/rules/statement.ts'
import type { Turn } from './dataset.ts'

const windowSize = 500
const noTime = '2000-01-01T00:00:00.000Z'

interface Value {
  readonly entity: string
  readonly type: string
  readonly aspect: string
  readonly key: string
  readonly value: string
  status: 'active' | 'superseded'
  assertedAt: string
  readonly quotes: { readonly source: string; readonly quote: string }[]
  readonly rule: string
}

interface Settings {
  /** Who speaks as `user`. */
  readonly user: string
  /** Whether the graph knows all speakers, also those without a surname. */
  readonly people: boolean
}

/** The graph that the rules make of a corpus, without a daemon. */
export function dreamInProcess(turns: readonly Turn[], { user, people }: Settings) {
  const graph: Value[] = []
  const facts: Fact[] = []
  const skipped: Record<string, number> = {}
  const sorted = turns.toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))]
  const projects = [...new Set(turns.flatMap(({ project }) => project ?? []))]
  for (let from = 0; from < sorted.length; from += windowSize) {
    const fragments = sorted.slice(from, from + windowSize).flatMap(toFragment)
    const known = people ? speakers.map((name): [string, string] => [name, 'person']) : []
    const written = graph.map(({ entity, type }): [string, string] => [entity, type])
    const entities = [...new Map([...known, ...written])]
    const names = {
      entities: entities.map(([name, type]) => ({ id: name, name, type, aliases: [] })),
      speakers,
      projects,
    }
    const read = readStatements({ fragments, names, user })
    for (const [reason, count] of Object.entries(read.skipped))
      skipped[reason] = (skipped[reason] ?? 0) + count
    const decision = decideOperations({
      statements: read.statements,
      facts,
      claims: graph.map(toClaim),
      refusals: [],
    })
    facts.push(...decision.facts)
    for (const operation of decision.operations) apply(graph, operation, sorted)
  }
  return { graph, skipped }
}

function toFragment({ id, text, speaker, role, project, session, time }: Turn): EvidenceFragment[] {
  return [
    {
      sourceKind: 'memory',
      sourceId: id,
      text,
      start: 0,
      speaker: role === 'assistant' ? 'assistant' : speaker,
      project,
      session,
      assertedAt: time ?? noTime,
      trust: 'own',
    },
  ]
}

function toClaim(value: Value, index: number): CurrentClaim {
  return {
    attributeId: String(index),
    entityId: value.entity,
    entityName: value.entity,
    aspect: value.aspect,
    groupKey: 'general',
    claimKey: value.key,
    value: value.value,
    status: value.status,
    assertedAt: value.assertedAt,
    pinned: false,
    citations: value.quotes.map(({ source, quote }) => ({
      sourceKind: 'memory',
      sourceId: source,
      quote,
      trust: 'own',
    })),
  }
}

/** What the ontology does with an operation, in short. */
function apply(graph: Value[], operation: PlannedOperation, turns: readonly Turn[]): void {
  const { payload } = operation
  const slot = graph.filter((one) => isIn(one, payload))
  if (operation.operation === 'supersede_claim_value') {
    supersede(slot.filter((one) => one.value === payload['old_value']))
    return
  }
  const value = toValue(operation, turns)
  const same = slot.find((one) => one.status === 'active' && isEqual(one, value))
  if (same) {
    same.quotes.push(...value.quotes)
    if (value.assertedAt > same.assertedAt) same.assertedAt = value.assertedAt
    return
  }
  if (operation.operation === 'set_claim_value') {
    const newer = slot.some((one) => one.status === 'active' && one.assertedAt > value.assertedAt)
    if (newer) value.status = 'superseded'
    else supersede(slot)
  }
  graph.push(value)
}

function supersede(slot: readonly Value[]): void {
  for (const one of slot) one.status = 'superseded'
}

function isIn({ entity, aspect, key }: Value, payload: PlannedOperation['payload']): boolean {
  return (
    entity === payload['entity'] && aspect === payload['aspect'] && key === payload['claim_key']
  )
}

function isEqual(one: Value, other: Value): boolean {
  return one.value.toLowerCase() === other.value.toLowerCase()
}

function toValue({ payload, evidence, rule }: PlannedOperation, turns: readonly Turn[]): Value {
  const times = evidence.map(
    ({ sourceId }) => turns.find(({ id }) => id === sourceId)?.time ?? noTime,
  )
  return {
    entity: String(payload['entity']),
    type: String(payload['entity_type']),
    aspect: String(payload['aspect']),
    key: String(payload['claim_key']),
    value: String(payload['value']),
    status: 'active',
    assertedAt: times.toSorted().at(-1) ?? noTime,
    quotes: evidence.map(({ sourceId, quote }) => ({ source: sourceId, quote })),
    rule,
  }
}
