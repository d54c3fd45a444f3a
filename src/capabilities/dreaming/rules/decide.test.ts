import { expect, test } from 'vitest'
import { decideOperations } from './decide.ts'
import { readStatements } from './read-statements.ts'
import { names, toFragment } from './rules.fixture.ts'
import type { CurrentClaim, EvidenceFragment, PlannedOperation } from './statement.ts'

const day = (number: number) => `2025-03-${String(number).padStart(2, '0')}T10:00:00.000Z`
let count = 0
const at = (number: number, text: string, others: Partial<EvidenceFragment> = {}) => {
  count += 1
  return toFragment(text, {
    sourceId: `memory-${count}`,
    session: `session-${number}`,
    assertedAt: day(number),
    ...others,
  })
}

function decide(
  fragments: readonly EvidenceFragment[],
  others: Partial<Parameters<typeof decideOperations>[0]> = {},
) {
  const { statements } = readStatements({ fragments, names, user: '' })
  return decideOperations({ statements, facts: [], claims: [], refusals: [], ...others })
}

const describe = ({ operation, payload }: PlannedOperation) =>
  `${operation.split('_')[0]} ${payload['claim_key']} ${payload['value'] ?? payload['old_value']}`

const claim = (others: Partial<CurrentClaim>): CurrentClaim => ({
  attributeId: 'claim-1',
  entityId: 'entity-1',
  entityName: 'Ada Moreau',
  aspect: 'location',
  groupKey: 'general',
  claimKey: 'lives_in',
  value: 'Ferrol',
  status: 'active',
  assertedAt: day(1),
  pinned: false,
  citations: [
    { sourceKind: 'memory', sourceId: 'before', quote: 'I live in Ferrol.', trust: 'own' },
  ],
  ...others,
})

test('a newer value takes the place of an older one, in the order of their times', () => {
  const { operations } = decide([at(3, 'I live in Lugo now.'), at(1, 'I live in Ferrol.')])

  expect(operations.map(describe)).toEqual(['set lives_in Ferrol', 'set lives_in Lugo'])
})

test('the reason is a plain sentence; the rule has a field of its own', () => {
  const { operations } = decide([at(1, 'I live in Ferrol.'), at(2, 'I no longer live in Ferrol.')])

  expect(operations.map(({ reason, rule }) => [reason, rule])).toEqual([
    ['The subject says so.', 'en.lives_in'],
    ['The source says that this no longer holds.', 'en.left_place'],
  ])
})

test('a repeated value gets one more citation and more confidence, and no row of its own', () => {
  const { operations } = decide([at(1, 'I live in Ferrol.'), at(2, 'I live in Ferrol, as ever.')])

  expect(operations).toHaveLength(1)
  expect(operations[0]?.evidence.map(({ quote }) => quote)).toEqual([
    'I live in Ferrol.',
    'I live in Ferrol, as ever.',
  ])
  expect(operations[0]?.confidence).toBe(0.95)
})

test('evidence that has been read before stages nothing', () => {
  const fragments = [at(1, 'I live in Ferrol.'), at(2, 'I use Zettlr.')]
  const { facts } = decide(fragments)

  expect(decide(fragments, { facts }).operations).toEqual([])
})

test('an end closes the equal value in whatever slot it stands', () => {
  const { operations } = decide([
    at(1, 'My main editor is Zile.'),
    at(2, "I've stopped using Zile."),
  ])

  expect(operations.map(describe)).toEqual(['set editor Zile', 'supersede editor Zile'])
})

test('an end without a value does nothing', () => {
  expect(decide([at(1, "I've stopped using Zile.")]).operations).toEqual([])
})

test('a value that somebody has ended later is not added', () => {
  const { facts } = decide([at(1, 'I use Zile.'), at(5, 'I no longer use Zile.')])

  expect(decide([at(3, 'I use Zile.')], { facts }).operations).toEqual([])
})

test('a migration without a slot changes the slot that holds the old value', () => {
  const { operations } = decide([
    at(1, "Ferry's database is MySQL."),
    at(2, 'We migrated Ferry from MySQL to PostgreSQL.'),
  ])

  expect(operations.map(describe)).toEqual(['set database MySQL', 'set database PostgreSQL'])
})

test.each([
  ['Ferry runs on Azure.', 'Ferry moved to AWS.', ['set deployed_on Azure', 'set deployed_on AWS']],
  [
    'Ferry uses a MySQL database.',
    'Ferry now sits on MariaDB.',
    ['set database MySQL', 'set database MariaDB'],
  ],
  [
    'Ferry is written in Go.',
    'We switched Ferry to Elixir.',
    ['set language Go', 'set language Elixir'],
  ],
  ['My editor is Vim.', 'I switched to Kate.', ['set editor Vim', 'set editor Kate']],
])(
  'a change without a slot belongs to the slot of its class: %j, %j',
  (before, after, expected) => {
    const { operations } = decide([at(1, before), at(2, after)])

    expect(operations.map(describe)).toEqual(expected)
  },
)

test('a return to an earlier value changes the slot of that value', () => {
  const { operations } = decide([
    at(1, 'Ferry is hosted on Nordhost.'),
    at(2, 'Ferry is hosted on Südhost now.'),
    at(3, 'Ferry is back on Nordhost.'),
  ])

  expect(operations.map(describe).at(-1)).toBe('set deployed_on Nordhost')
})

test('a change ends its old value in another slot', () => {
  const { operations } = decide([at(1, 'I use Vim.'), at(2, 'My editor is Kate now.')])

  expect(operations.map(describe)).toEqual([
    'add uses Vim',
    'set editor Kate',
    'supersede uses Vim',
  ])
})

test('a change ends its old value where it was used without being well-known', () => {
  const { operations } = decide([
    at(1, 'I use Nova.'),
    at(2, 'My editor is Nova.'),
    at(3, 'My editor is Kate now.'),
  ])

  expect(operations.map(describe)).toEqual([
    'add uses Nova',
    'set editor Nova',
    'set editor Kate',
    'supersede uses Nova',
  ])
})

test('a change that is read before its old value still ends it', () => {
  const { facts } = decide([at(5, 'I switched from Zettlr to Krita.')])

  expect(decide([at(3, 'I use Zettlr.')], { facts }).operations).toEqual([])
})

test('another person who contradicts the own word of the subject changes nothing', () => {
  const { operations, attention } = decide([
    at(1, 'I live in Ferrol.'),
    at(2, 'Ada Moreau lives in Lugo.', { speaker: 'Olu Adeyemi' }),
  ])

  expect(operations.map(describe)).toEqual(['set lives_in Ferrol'])
  expect(attention).toMatchObject([
    { kind: 'contested_claim', details: { current: 'Ferrol', stated: 'Lugo' } },
  ])
})

test('another person who names a change changes the value', () => {
  const { operations } = decide([
    at(1, 'I live in Ferrol.'),
    at(2, 'Ada Moreau has moved to Lugo.', { speaker: 'Olu Adeyemi' }),
  ])

  expect(operations.map(describe)).toEqual(['set lives_in Ferrol', 'set lives_in Lugo'])
})

test('a document against an own value is a proposal', () => {
  const { operations } = decide(
    [at(2, 'Ada Moreau now lives in Lugo.', { trust: 'external', speaker: null })],
    { claims: [claim({})] },
  )

  expect(operations).toMatchObject([{ payload: { value: 'Lugo' }, reviewRequired: true }])
})

test('late evidence is written once, as history', () => {
  const late = decide([at(1, 'I live in Lugo.')], { claims: [claim({ assertedAt: day(9) })] })
  const known = decide([at(1, 'I live in Lugo.')], {
    claims: [
      claim({ assertedAt: day(9) }),
      claim({ attributeId: 'claim-0', value: 'Lugo', status: 'superseded' }),
    ],
  })

  expect(late.operations.map(describe)).toEqual(['set lives_in Lugo'])
  expect(known.operations).toEqual([])
})

test('a pinned value is contested, not replaced', () => {
  const { operations, attention } = decide([at(2, 'I live in Lugo now.')], {
    claims: [claim({ pinned: true })],
  })

  expect(operations).toEqual([])
  expect(attention).toMatchObject([{ subjectRef: 'attribute:claim-1' }])
})

test('what a person has removed comes back from a newer statement only', () => {
  const [fingerprint = ''] = decide([at(1, 'I use Zettlr.')]).facts.map((one) => one.fingerprint)
  const refusals = [{ fingerprint, untilAfter: day(5) }]

  expect(decide([at(2, 'I use Zettlr.')], { refusals }).operations).toEqual([])
  expect(decide([at(6, 'I use Zettlr.')], { refusals }).operations).toHaveLength(1)
})

test('a deadline is reviewed on its day, a port after 90 days', () => {
  const { operations } = decide([
    at(1, 'The deadline for Ferry is 2025-06-30.'),
    at(1, "Ferry's port is 9090."),
  ])

  expect(operations.map(({ payload }) => payload['review_after'])).toEqual([
    '2025-06-30T00:00:00.000Z',
    '2025-05-30T10:00:00.000Z',
  ])
})

test('an alias in words is proposed once, and only for an entity of the graph', () => {
  const talk = [at(1, 'Mo is short for Ferry.'), at(2, 'Mo is short for Ferry.')]
  const entities = [{ id: 'entity-7', name: 'Ferry', type: 'project', aliases: [] }]
  const { statements } = readStatements({ fragments: talk, names: { entities }, user: '' })
  const { operations } = decideOperations({ statements, facts: [], claims: [], refusals: [] })

  expect(operations).toMatchObject([
    {
      operation: 'create_entity_alias',
      payload: { entity_id: 'entity-7', alias: 'Mo' },
      evidence: [{ quote: 'Mo is short for Ferry.' }],
      reviewRequired: true,
    },
  ])
  expect(decide(talk).operations).toEqual([])
})

test.each([
  ['I ditched Zile for Lite XL.', ['set editor Lite XL']],
  ['I switched to Lite XL, Zile was too slow.', ['set editor Lite XL']],
  ["I've given up on Zile, I'm on Lite XL now.", ['set editor Lite XL']],
  ["I've given up on Zile.", ['supersede editor Zile']],
  ['I switched to Lite XL.', ['add uses Lite XL']],
  ["I'm on Lite XL now.", []],
])('a change finds the slot that holds the old value: %j', (text, expected) => {
  const { operations } = decide([at(1, 'My editor is Zile.'), at(2, text)])

  expect(operations.slice(1).map(describe)).toEqual(expected)
})

test('a shorter name means the only value that it fits', () => {
  const { operations } = decide([at(1, 'I use Zile 2.'), at(2, "I've stopped using Zile.")])

  expect(operations.map(describe)).toEqual(['add uses Zile 2', 'supersede uses Zile 2'])
})

test('two values that a shorter name fits are both left alone', () => {
  const { operations } = decide([
    at(1, 'I use Blue Notes and Blue Mail.'),
    at(2, "I don't use Blue any more."),
  ])

  expect(operations.map(describe)).toEqual(['add uses Blue Mail', 'add uses Blue Notes'])
})
