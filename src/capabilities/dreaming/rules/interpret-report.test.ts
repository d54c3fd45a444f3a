import { expect, test } from 'vitest'
import { decideOperations } from './decide.ts'
import { readStatements } from './read-statements.ts'
import { names, toFragment } from './rules.fixture.ts'
import type { CurrentClaim, PlannedOperation } from './statement.ts'

const people = {
  ...names,
  speakers: [...names.speakers, 'Ada Lindgren', 'Jana Roth', 'Milo Quist'],
}
const before = '2025-03-01T10:00:00.000Z'
const after = '2025-04-01T10:00:00.000Z'

/** The claims before a sentence, as `entity aspect/key value`. */
function claims(...texts: readonly string[]): CurrentClaim[] {
  return texts.map((text, number) => {
    const [, entityName = '', aspect = '', claimKey = '', value = ''] =
      /^(.+?) (\w+)\/(\w+) (.+)$/.exec(text) ?? []
    return {
      attributeId: `claim-${number}`,
      entityId: `entity-${entityName}`,
      entityName,
      aspect,
      groupKey: 'general',
      claimKey,
      value,
      status: value.startsWith('once ') ? 'superseded' : 'active',
      assertedAt: before,
      pinned: false,
      citations: [],
      ...(value.startsWith('once ') && { value: value.slice(5) }),
    }
  })
}

const describe = ({ operation, payload }: PlannedOperation) =>
  `${operation.split('_')[0]} ${payload['claim_key']} ${payload['value'] ?? payload['old_value']}`

function decide(text: string, known: readonly string[], project: string | null = null) {
  const fragments = [toFragment(text, { assertedAt: after, project })]
  const { statements } = readStatements({ fragments, names: people, user: '' })
  const { operations } = decideOperations({
    statements,
    facts: [],
    claims: claims(...known),
    refusals: [],
  })
  return operations.map(describe)
}

const port = 'Ferry properties/staging_port 5100'
const owner = 'Ferry properties/owner Jana Roth'
const database = 'Ferry properties/database MariaDB'
const employer = 'Ada Moreau work/works_at Kestrel Foods'
const home = 'Ada Moreau location/lives_in Ferrol'

test.each([
  [
    'the old and the new value',
    'Ferry outgrew 5100, it listens on 5200 now.',
    port,
    'set staging_port 5200',
  ],
  [
    'a correction',
    'Sorry, wrong line: Ferry staging is 5200, not 5100.',
    port,
    'set staging_port 5200',
  ],
  [
    'a slot and a value of its type',
    'Ferry staging got a new port, 5200.',
    port,
    'set staging_port 5200',
  ],
  [
    'a date',
    'Ferry slipped, it ships 14 June.',
    'Ferry properties/deadline 2 June',
    'set deadline 14 June',
  ],
  [
    'a person',
    'Jana is stepping down from Ferry. Milo Quist takes over.',
    owner,
    'supersede owner Jana Roth|set owner Milo Quist',
  ],
  [
    'a name of the same class',
    'MariaDB had to go, Ferry persists to CouchDB.',
    database,
    'set database CouchDB',
  ],
  [
    'a value from before',
    'That was it with Kestrel Foods, Osprey Tea took me back.',
    'Ada Moreau work/works_at once Osprey Tea|Ada Moreau work/works_at Kestrel Foods',
    'set works_at Osprey Tea',
  ],
  [
    'two sentences',
    'Kestrel Foods let me go. Osprey Tea hired me.',
    employer,
    'supersede works_at Kestrel Foods|set works_at Osprey Tea',
  ],
  ['a home', 'Ferrol is behind me, Lugo is home now.', home, 'set lives_in Lugo'],
  [
    'German',
    'Für Ferry haben wir MariaDB durch CouchDB abgelöst.',
    database,
    'set database CouchDB',
  ],
  [
    'a retired value and a used one',
    'MariaDB has been retired, Ferry uses CouchDB.',
    database,
    'set database CouchDB',
  ],
])('a report of a change sets the slot that the ledger knows: %s', (_, text, known, operation) => {
  expect(decide(text, known.split('|'))).toEqual(operation.split('|'))
})

test.each([
  ['an employer', 'Kestrel Foods made me redundant.', employer, 'supersede works_at Kestrel Foods'],
  [
    'a tool',
    'Zettlr got wiped off my laptop.',
    'Ada Moreau tools/uses Zettlr',
    'supersede uses Zettlr',
  ],
  [
    'an allergy',
    'My peach allergy has cleared up for good.',
    'Ada Moreau health/allergic_to peaches',
    'supersede allergic_to peaches',
  ],
  [
    'what sounds like a decision',
    'We no longer use Kafka in Ferry.',
    'Ferry dependencies/depends_on Kafka',
    'supersede depends_on Kafka',
  ],
  [
    'German',
    'Zettlr ist von meinem Rechner runter.',
    'Ada Moreau tools/uses Zettlr',
    'supersede uses Zettlr',
  ],
])('a report of an end closes the value that it names: %s', (_, text, known, operation) => {
  expect(decide(text, [known])).toEqual([operation])
})

test.each([
  ['a company is no home', 'I moved over to Osprey Films.', home],
  ['no value is known', 'Ferry had to leave 5100, it listens on 5200 now.', home],
  ['the old value stays', 'Ferry also got a CouchDB mirror now, next to MariaDB.', database],
  ['another type', 'Ferry moved to bigger MariaDB machines near Lugo.', database],
  ['another class', 'We swapped MariaDB clients on Ferry for a Rust one.', database],
  ['somebody else', 'My sister left Kestrel Foods for Osprey Tea.', employer],
  ['somebody unknown', 'Bo dropped Zettlr.', 'Ada Moreau tools/uses Zettlr'],
  ['two people have the name', 'Ada no longer touches Zettlr.', 'Ada Moreau tools/uses Zettlr'],
  [
    'something at work changes',
    'Kestrel Foods changed the coffee supplier to Brown Bean.',
    employer,
  ],
  ['somebody at work leaves', 'Kestrel Foods fired our caterer last week.', employer],
  [
    'something in a tool is removed',
    'I removed three boards from Zettlr.',
    'Ada Moreau tools/uses Zettlr',
  ],
  [
    'the tool did something else',
    'Zettlr crashed when I removed the plugin.',
    'Ada Moreau tools/uses Zettlr',
  ],
  [
    'food falls down',
    'I have dropped the peaches on the floor.',
    'Ada Moreau health/allergic_to peaches',
  ],
  ['a number counts', 'Ferry staging has 1200 users now.', port],
  ['a number is a reply', 'Ferry staging answers 404 now.', port],
  ['a person gets something else', 'Jana handed Milo the keys to the office.', owner],
  ['it is a request', 'Please switch Ferry from MariaDB to CouchDB.', database],
  ['it is a command', 'Move Ferry off MariaDB.', database],
  [
    'the value that holds is the last one',
    'We tried CouchDB in Ferry and went back to MariaDB.',
    database,
  ],
  ['the text states the order of two homes', 'I lived in Lugo before I moved to Ferrol.', home],
  ['work in a tool ends', 'I am done with the Zettlr export.', 'Ada Moreau tools/uses Zettlr'],
  ['a problem ends', 'I got rid of the Zettlr bug.', 'Ada Moreau tools/uses Zettlr'],
  ['a way to work ends', "I don't take the bus to Kestrel Foods anymore.", employer],
  ['the speaker joins something else', 'I joined the choir in Lugo.', employer],
  ['furniture moves', 'I moved the sofa to the flat in Lugo.', home],
  ['data go elsewhere', 'Ferry exports to Snowflake now.', database],
  [
    'a part of the old value changes',
    "Ferry replaced MariaDB's default charset with UTF8.",
    database,
  ],
  ['a person gets access', 'Jana gave Milo access to Ferry.', owner],
  ['an idea is dropped', 'We dropped the idea to move Ferry to CouchDB.', database],
  ['a question', 'Did Kestrel Foods let me go?', employer],
  ['a plan', 'Kestrel Foods will let me go.', employer],
  ['hearsay', 'Rumour has it that Kestrel Foods let me go.', employer],
  ['a joke', 'Kestrel Foods fired me, haha.', employer],
  ['two projects', 'Ferry and Lantern swapped MariaDB for CouchDB.', database],
  ['a place is left', 'I left Ferrol at six this morning.', home],
])('a report changes nothing where %s', (_, text, known) => {
  expect(decide(text, [known])).toEqual([])
})

test.each([
  [
    'an employer',
    'I am no longer at Kestrel Foods. I am at Osprey Films now.',
    employer,
    ['supersede works_at Kestrel Foods', 'set works_at Osprey Films'],
  ],
  [
    'a database',
    "Ferry doesn't use MariaDB any more. It's on CouchDB.",
    database,
    ['supersede database MariaDB', 'set database CouchDB'],
  ],
  [
    'no home',
    "I don't live in Ferrol any more. The office is in Lugo.",
    home,
    ['supersede lives_in Ferrol'],
  ],
])('the sentence behind an end gives the new value: %s', (_, text, known, expected) => {
  expect(decide(text, [known])).toEqual(expected)
})

test('what is gone does not come back', () => {
  const known = ['Ferry properties/language Nim', 'Ferry properties/language once Perl']

  expect(decide('The Perl version of Ferry has been deleted.', known)).toEqual([])
  expect(decide('Ferry is back on Perl.', known)).toEqual(['set language Perl'])
})

test.each([
  'A good day: Nim is gone from Ferry, which speaks Go again.',
  'A good evening with Nim removed, Ferry answers in Go again.',
  'We are good without Nim in Ferry now, back to Go.',
])('a part of another word is not the value that is gone: %s', (text) => {
  const known = ['Ferry properties/language Nim', 'Ferry properties/language once Go']

  expect(decide(text, known)).toEqual(['set language Go'])
})

test('a report is read once', () => {
  const fragments = [
    toFragment('Ferry outgrew 5100 and answers on 5200 from now on.', { assertedAt: after }),
  ]
  const { statements } = readStatements({ fragments, names: people, user: '' })
  const request = { statements, refusals: [], claims: claims(port) }
  const { facts } = decideOperations({ ...request, facts: [] })

  expect(facts.length).toBeGreaterThan(0)
  expect(decideOperations({ ...request, facts }).operations).toEqual([])
})
