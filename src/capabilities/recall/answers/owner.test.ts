import { expect, test } from 'vitest'
import { createOwnerTest, readOwner } from './owner.ts'
import { evidence, hitDefaults, rankRows } from './rank-answers.fixture.ts'

test.each([
  ["who is Nora's baker?", 'nora'],
  ["Nora Finch's bakery hours", 'nora finch'],
  ['Wer ist Noras Bäckerin?', 'nora'],
  ['Wer ist die Bäckerin von Nora?', 'nora'],
  ['¿quién es el panadero de Nora?', 'nora'],
  ['qui est le boulanger de Nora ?', 'nora'],
  ['张伟的牙医是谁', '张伟'],
  ["what's the plan", undefined],
  ["what is on Monday's menu", undefined],
  ['Wann ist die Einweihung des Hauses Nummer 3?', undefined],
  ['Wie heißt die Adresse des neuen Ladens Eichhorn?', undefined],
  ['Welche Läufers Nora gekauft hat', undefined],
  ['我们的数据库在哪里', undefined],
])('%s asks for something of %s', (query, owner) => {
  expect(readOwner(query)).toBe(owner)
})

test.each([
  ["who is Nora's baker?", "Nora's baker is Ilse", 'Emil has a new baker, Ilse'],
  ['Wer ist Noras Bäckerin?', 'Ilse ist die Bäckerin von Nora', 'Emils Bäckerin heißt Ilse'],
  ['张伟的牙医是谁', '张伟的牙医是陈医生', '李娜的牙医是陈医生'],
])('%s: a text about another owner lacks it', (query, own, other) => {
  const lacksOwner = createOwnerTest(query)
  const hit = (content: string) => ({ ...hitDefaults, content, score: 1 })

  expect(lacksOwner(hit(own))).toBe(false)
  expect(lacksOwner(hit(other))).toBe(true)
  expect(lacksOwner({ ...hit('I have a new one'), who: query })).toBe(false)
})

test('the thing of another owner is a weak match', () => {
  const strong = { ...evidence, lexical: 0.9, soft: 0.9 }
  const weak = { lexical: 0.3, soft: 0.3, vector: 0.2, hint: 0 }
  const rows = [
    { content: "Emil's baker is Ilse, by the bridge", evidence: strong, score: 0.9 },
    { content: 'Nora swims on Fridays', evidence: weak, score: 0.2 },
  ]

  expect(rankRows("who is Emil's baker?", rows)[0]?.confidence).toBeGreaterThan(0.7)
  expect(rankRows("who is Nora's baker?", rows)[0]?.confidence).toBeLessThan(0.54)
})
