import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { engines, startPostgresAhead } from '../../../kernel/testing/engines.ts'
import { agentsModule } from '../../agents/index.ts'
import { memoryNeeds, plain } from '../memory.fixture.ts'
import { memoryMigrations } from '../migrations.ts'
import { remember } from '../remember.ts'
import { searchExpression } from './search.ts'
import { searchText } from './text-search.ts'

const texts = [
  'green tea',
  'tea',
  'teapot, green and old',
  'tea that is not so very green',
  'milk before tea; green after',
  'tea green tea milk',
  'Café au lait, ΟΔΟΣ',
  'cafeteria',
  'src/capabilities/recall/engine.ts',
  'cargo --verbose at 1e5x, 3e8ab12 m²',
  'a_b don’t 100% 今天 tea:* (tea',
  'alpha lighthouse',
  'green oolong with honey',
  'lighthouse beta "tea',
  'NEAR or content and 😀milk',
]
const ada = callerFor('ada')
const scope: ReadScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null }
const request = { readScope: scope, filters: { scope: null }, limit: 50 }

startPostgresAhead()

async function openBoth(): Promise<Db[]> {
  const opened: Db[] = []
  for (const { open } of engines) {
    const database = await open()
    await createTables(database, [...agentsModule.migrations, ...memoryMigrations])
    const { needs } = memoryNeeds(database.db)
    for (const text of texts) await remember(needs, ada, plain(text))
    opened.push(database.db)
  }
  return opened
}

/** The texts that are found by each engine; undefined for an invalid expression. */
async function findOnEach(both: readonly Db[], expression: string) {
  return Promise.all(
    both.map(async (db) => {
      const found = await searchExpression(db, expression, request)
      return found?.map(({ memory }) => memory.content).toSorted()
    }),
  )
}

async function findTexts(db: Db, expression: string): Promise<string[]> {
  const search = { expression, ranking: 'best', filter: {}, limit: 50 } as const
  const found = await searchText(db, scope, search)
  return found.map(({ memory }) => memory.content).toSorted()
}

const meanings: Readonly<Record<string, number>> = {
  'tea AND green': 4,
  'tea NOT green': 3,
  'gre*': 6,
  'NEAR(green tea, 2)': 3,
  'NEAR(tea tea)': 7,
  'NEAR(green tea milk, 3)': 2,
  'NEAR("green tea" milk, 2)': 1,
  'NEAR("green tea" honey)': 0,
  'content:tea': 7,
  '- content:tea': 0,
  '{content}: (tea OR milk) NOT green': 4,
  'lighthouse AND (alpha OR beta)': 2,
  'tea green OR milk NOT tea': 5,
  '"tea gre" * OR tea* + green': 3,
  '^tea': 3,
  '^"green tea"': 1,
  '"..."': 0,
  '"..." tea': 7,
  '"..." AND tea': 0,
  'tea NOT "..."': 7,
  cafe: 1,
  'CAFÉ*': 2,
  οδος: 1,
  engine: 1,
  '"recall/engine.ts"': 1,
  '1e5x': 1,
  '3e8ab12': 1,
  '"m²"': 1,
  今天: 1,
  b: 1,
}

test('both engines match expressions alike', async () => {
  const both = await openBoth()
  const found = new Map<string, number | undefined>()
  for (const expression of Object.keys(meanings)) {
    const [onFile, onServer] = await findOnEach(both, expression)
    expect(onServer, expression).toEqual(onFile)
    found.set(expression, onFile?.length)
  }
  expect(Object.fromEntries(found)).toEqual(meanings)
})

const verbatim: Readonly<Record<string, readonly string[]>> = {
  '%': ['a_b don’t 100% 今天 tea:* (tea'],
  "'": [],
  '*': ['a_b don’t 100% 今天 tea:* (tea'],
  '-verbose': ['cargo --verbose at 1e5x, 3e8ab12 m²'],
  '-': ['cargo --verbose at 1e5x, 3e8ab12 m²'],
  OR: ['NEAR or content and 😀milk', 'milk before tea; green after'],
  '(tea': ['a_b don’t 100% 今天 tea:* (tea'],
  '"tea': ['lighthouse beta "tea'],
  '!tea': [],
  'tea:*': ['a_b don’t 100% 今天 tea:* (tea'],
  '-rf': [],
  'tags:tea': [],
  [`${'('.repeat(500)}tea${')'.repeat(500)}`]: [],
}

test('both engines search invalid syntax as plain text', async () => {
  const both = await openBoth()
  for (const [text, expected] of Object.entries(verbatim)) {
    expect(await findOnEach(both, text), text).toEqual([undefined, undefined])
    for (const db of both) expect(await findTexts(db, text), text).toEqual(expected)
  }
})

test('both engines agree on random expressions', async () => {
  const both = await openBoth()
  const known = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(fc.oneof(anySigns, wellMade), async (expression) => {
      const [onFile, onServer] = await findOnEach(both, expression)
      known.add(onFile === undefined)
      expect(onServer).toEqual(onFile)
    }),
    { numRuns: 400 },
  )
  expect(known.size).toBe(2)
})

const word = fc.constantFrom(
  'tea',
  'green',
  'Gre*',
  'milk',
  '"green tea"',
  '"tea"*',
  '^tea',
  '"..."',
  'CAFE',
  'lait',
  'tea + green',
  '"very " + gre*',
  '"engine.ts"',
  'b*',
  'NEAR(tea milk, 1)',
  'content:tea',
  'NEAR("green tea" milk, 2)',
  'NEAR(green tea milk)',
  'NEAR(honey "green oolong", 1)',
  '-content:tea',
  '"a ""b"" c"',
)
const { wellMade } = fc.letrec<{ wellMade: string }>((tie) => ({
  wellMade: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    word,
    fc
      .tuple(tie('wellMade'), fc.constantFrom(' ', ' AND ', ' OR ', ' NOT '), tie('wellMade'))
      .map((parts) => parts.join('')),
    tie('wellMade').map((inner) => `(${inner})`),
    tie('wellMade').map((inner) => `{content} : (${inner})`),
  ),
}))
const anySigns = fc
  .array(
    fc.constantFrom(
      'tea',
      'green',
      'milk',
      'NEAR(',
      'NEAR',
      'AND',
      'OR',
      'NOT',
      'content',
      'tags',
      '2',
      '"',
      '""',
      '(',
      ')',
      '+',
      '*',
      '^',
      '-',
      ':',
      '{',
      '}',
      ',',
      ' ',
      ' ',
      '%',
      "'",
      '.',
      '_',
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '')
