import { expect, test } from 'vitest'
import { decideOperations } from './decide.ts'
import { readStatements } from './read-statements.ts'
import { names, toFragment } from './rules.fixture.ts'

/** What the last of these sentences sets or ends, when the others have been read. */
function changeOf(texts: readonly string[]): string[] {
  const fragments = texts.map((text, at) =>
    toFragment(text, { sourceId: `memory-${at}`, assertedAt: `2025-03-0${at + 1}T10:00:00.000Z` }),
  )
  const { statements } = readStatements({ fragments, names, user: '' })
  const { operations } = decideOperations({ statements, facts: [], claims: [], refusals: [] })
  const last = `memory-${texts.length - 1}`
  return operations
    .filter(({ evidence }) => evidence.some(({ sourceId }) => sourceId === last))
    .map(({ operation, payload }) => {
      const value = payload['value'] ?? payload['old_value']
      return `${operation.split('_')[0]} ${payload['claim_key']} ${value}`
    })
}

const neo4j = 'Ferry uses Neo4j as its database.'

test.each([
  // The words name a slot, and the only value is of its kind.
  [['Julia is what the Ferry codebase got.'], ['set language Julia']],
  [['The whole Ferry codebase: Julia.'], ['set language Julia']],
  // Who speaks of the past, of himself or of a part of it states nothing.
  [['I read the Julia code of Ferry.'], []],
  [['The Ferry codebase was Julia.'], []],
  [['The Ferry codebase has a Julia script.'], []],
  [['The Ferry slides mention a Julia codebase.'], []],
  [['Ich lese den Code von Ferry in Julia.'], []],
  // A reason in front of the change is no hypothesis.
  [[neo4j, 'Neo4j could not cope, so Ferry is on Riak now.'], ['set database Riak']],
  [[neo4j, 'Neo4j could break, so Ferry might be on Riak soon.'], []],
  // What moves is the project, not a part of it.
  [
    ['Ferry runs on AWS.', 'We packed up Ferry and moved it over to Linode.'],
    ['set deployed_on Linode'],
  ],
  [['Ferry runs on AWS.', 'We packed the logs of Ferry and moved them to Linode.'], []],
  [['Ferry runs on AWS.', 'We will pack up Ferry and move it over to Linode.'], []],
  // A preference ends for good.
  [
    ['I prefer night trains.', 'Night trains are not for me any more.'],
    ['supersede prefers night trains'],
  ],
  [['I prefer night trains.', 'I cancelled two night trains.'], []],
  [
    ['Ich bevorzuge Filterkaffee.', 'Ich kann mit Filterkaffee nichts mehr anfangen.'],
    ['supersede prefers Filterkaffee'],
  ],
  [['Ich mag Nachtzüge am liebsten.', 'Ich habe zwei Nachtzüge storniert.'], []],
  [['我喜欢夜车。', '我对夜车没兴趣了。'], ['supersede prefers 夜车']],
  [['我喜欢夜车。', '我退了两张夜车票。'], []],
  // A greeting goes on with nothing.
  [['Mein Editor ist Kate.', 'Ich nutze jetzt Geany. Viele Grüße.'], ['set editor Geany']],
])('%j', (texts, expected) => {
  expect(changeOf(texts)).toEqual(expected)
})
