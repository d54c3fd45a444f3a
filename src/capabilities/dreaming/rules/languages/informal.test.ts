import { expect, test } from 'vitest'
import { read } from '../rules.fixture.ts'

const valuesOf = (text: string) =>
  read(text).statements.flatMap(({ slot, value, change }) =>
    slot === undefined ? [] : [`${change} ${slot.key} ${value}`],
  )

test.each([
  ['For Ferry we agreed on this: drop the beta.', ['add decision drop the beta']],
  ['In the Ferry retro we agreed to drop the beta.', ['add decision drop the beta']],
  ['Team decision for Ferry: drop the beta.', ['add decision drop the beta']],
  ['We made the choice to drop the beta in Ferry.', ['add decision drop the beta']],
  ['Ferry is all Julia under the hood.', ['set language Julia']],
  ['I live down in Lugo.', ['set lives_in Lugo']],
  ['I rent a small flat in Lugo.', ['set lives_in Lugo']],
  ['My day job is at Osprey Films.', ['set works_at Osprey Films']],
  ['I earn my money at Osprey Films.', ['set works_at Osprey Films']],
  ['I am an Osprey Films employee.', ['set works_at Osprey Films']],
  ['Osprey Films pays my salary.', ['set works_at Osprey Films']],
  ['I have changed jobs, from Northwind to Osprey Films.', ['set works_at Osprey Films']],
  ['I have always preferred night trains.', ['add prefers night trains']],
  ['It was agreed that we drop the beta in Ferry.', ['add decision drop the beta']],
  ['Ferry is wanted by June 4.', ['set deadline June 4']],
  ['The live Ferry server uses port 7400.', ['set production_port 7400']],
  ['The staging server of Ferry uses port 7500.', ['set staging_port 7500']],
  ['I do all my coding in Geany.', ['set editor Geany']],
  ['Ich wohne drüben in Lugo.', ['set lives_in Lugo']],
  ['Ich habe eine kleine Wohnung in Lugo.', ['set lives_in Lugo']],
  ['Ich schreibe meinen ganzen Code in Geany.', ['set editor Geany']],
  ['Ich nutze Trello für fast alles.', ['add uses Trello']],
  ['Mir sind Nachtzüge am liebsten.', ['add prefers Nachtzüge']],
  ['Ferry muss bis zum 4. Juni fertig sein.', ['set deadline 4. Juni']],
  ['Ich habe den Job gewechselt, von Northwind zu Osprey Films.', ['set works_at Osprey Films']],
  ['Ferry liegt in der Hand von Olu Adeyemi.', ['set owner Olu Adeyemi']],
  ['我用Geany写代码。', ['set editor Geany']],
  ['Hinter Ferry steckt Riak dahinter.', ['set database Riak']],
  ['比起飞机我更喜欢夜车。', ['add prefers 夜车']],
  ['我一碰花生就过敏。', ['add allergic_to 花生']],
])('informal words state: %j', (text, expected) => {
  expect(valuesOf(text)).toEqual(expected)
})

test.each([
  'In the Ferry retro we agreed to meet at Lugo.?',
  'In the Ferry retro we might agree to drop the beta.',
  'I rent a small flat in Lugo to my sister, maybe.',
  'I write all my code in Julia.',
  'Ferry edits its code in Geany.',
  'My sister lives down in Lugo.',
  'Osprey Films pays my brother a salary.',
  'Is Ferry wanted by June 4?',
  'The live Ferry server might use port 7400.',
  'Meine Schwester hat den Job gewechselt, von Northwind zu Osprey Films.',
  'My day job was at Osprey Films.',
  'Meine Schwester hat eine Wohnung in Lugo.',
  'Ich schreibe meinen Code in Julia.',
  'Muss Ferry bis zum 4. Juni fertig sein?',
  '我姐姐比起飞机更喜欢夜车。',
])('informal words state nothing: %j', (text) => {
  expect(valuesOf(text)).toEqual([])
})
