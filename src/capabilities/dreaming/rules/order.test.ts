import { expect, test } from 'vitest'
import { decideOperations } from './decide.ts'
import { listReopened } from './open.ts'
import { readStatements } from './read-statements.ts'
import { names, toFragment } from './rules.fixture.ts'
import type { CurrentClaim, EvidenceFragment, Fact, PlannedOperation } from './statement.ts'

const said = [
  'Ferry answers on port 8080.',
  'Ferry outgrew 8080, it gets 9400.',
  'The production port of Ferry is 7001.',
  "7001 was taken, so Ferry's production port had to change: 7002.",
  'Ferry is hosted on Vultr.',
  'Vultr was too slow for Ferry, Nomad is in.',
  'I use Trello.',
  "I don't use Trello anymore.",
  'My editor is Geany.',
  'Geany is out, Kakoune is in for me.',
  'Ferry belongs to Olu Adeyemi.',
  'Jonas Petersen replaces Olu as owner of Ferry.',
  'The staging port of Ferry is 5001.',
  'The staging port of Ferry changed from 5001 to 5002.',
  'I live in Ferrol.',
  'I live in Lugo.',
]
const evidence = said.map((text, at) =>
  toFragment(text, {
    sourceId: `memory-${at}`,
    session: `session-${at}`,
    assertedAt: `2025-03-${String(at + 1).padStart(2, '0')}T10:00:00.000Z`,
  }),
)

interface Graph {
  readonly claims: Writable[]
  readonly facts: Fact[]
}
type Writable = { -readonly [Key in keyof CurrentClaim]: CurrentClaim[Key] }

/** What a pass does with a window, on a graph in memory. */
function dream(graph: Graph, window: readonly EvidenceFragment[]): void {
  const read = readStatements({ fragments: window, names, user: '' }).statements
  const ids = new Set(listReopened(read, graph.facts).map(({ sourceId }) => sourceId))
  const fragments = evidence.filter(({ sourceId }) => ids.has(sourceId))
  const again = readStatements({ fragments, names, user: '' }).statements
  const statements = [...read, ...again]
  const { claims, facts } = graph
  const decision = decideOperations({ statements, facts, claims, refusals: [] })
  for (const operation of decision.operations) apply(claims, operation)
  graph.facts.push(...decision.facts)
}

function apply(claims: Writable[], { operation, payload, evidence: quotes }: PlannedOperation) {
  const at = (sourceId: string) =>
    evidence.find((one) => one.sourceId === sourceId)?.assertedAt ?? ''
  const assertedAt = at(quotes[0]?.sourceId ?? '')
  const slot = claims.filter(
    (one) => one.entityName === payload['entity'] && one.claimKey === payload['claim_key'],
  )
  const active = slot.find(({ status }) => status === 'active')
  if (operation === 'supersede_claim_value') {
    for (const one of slot) if (one.value === payload['old_value']) one.status = 'superseded'
    return
  }
  const isLate = active !== undefined && active.assertedAt > assertedAt
  if (operation === 'set_claim_value' && active && !isLate) active.status = 'superseded'
  claims.push({
    attributeId: String(claims.length),
    entityId: String(payload['entity']),
    entityName: String(payload['entity']),
    aspect: String(payload['aspect']),
    groupKey: 'general',
    claimKey: String(payload['claim_key']),
    value: String(payload['value']),
    status: isLate && operation === 'set_claim_value' ? 'superseded' : 'active',
    assertedAt,
    pinned: false,
    citations: quotes.map((quote) => ({ ...quote, trust: 'own' as const })),
  })
}

function graphOf(windows: readonly (readonly EvidenceFragment[])[]): string[] {
  const graph: Graph = { claims: [], facts: [] }
  for (const window of windows) dream(graph, window)
  return graph.claims
    .map(
      ({ entityName, claimKey, value, status }) => `${entityName} ${claimKey} ${value} ${status}`,
    )
    .filter((line) => line !== guess)
    .toSorted()
}

/** Where the editor of the speaker is unknown, its change is one of tools. */
const guess = 'Ada Moreau uses Kakoune superseded'

/** A small generator of numbers, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const expected = graphOf([evidence])

test('the sentences change each slot once', () => {
  expect(expected).toEqual([
    'Ada Moreau editor Geany superseded',
    'Ada Moreau editor Kakoune active',
    'Ada Moreau lives_in Ferrol superseded',
    'Ada Moreau lives_in Lugo active',
    'Ada Moreau uses Trello superseded',
    'Ferry deployed_on Nomad active',
    'Ferry deployed_on Vultr superseded',
    'Ferry owner Jonas Petersen active',
    'Ferry owner Olu Adeyemi superseded',
    'Ferry port 8080 superseded',
    'Ferry port 9400 active',
    'Ferry production_port 7001 superseded',
    'Ferry production_port 7002 active',
    'Ferry staging_port 5001 superseded',
    'Ferry staging_port 5002 active',
  ])
})

test.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
  'windows in any order of arrival make the same graph: order %d',
  (seed) => {
    const random = createRandom(seed)
    const left = [...evidence]
    const windows: EvidenceFragment[][] = []
    while (left.length > 0)
      windows.push(
        Array.from({ length: Math.min(left.length, 1 + random(4)) }, () =>
          left.splice(random(left.length), 1),
        ).flat(),
      )

    expect(graphOf(windows)).toEqual(expected)
  },
)
