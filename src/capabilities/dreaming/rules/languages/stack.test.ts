import { expect, test } from 'vitest'
import { decideOperations } from '../decide.ts'
import { describe, read, readAll, withoutReport } from '../rules.fixture.ts'

const ferry = (statement: string) => [`Ferry · ${statement}`]
const own = (statement: string) => [`Ada Moreau · ${statement}`]

test.each([
  ['Ferry is a Nim tool.', ferry('language · Nim')],
  ['Ferry is Nim now.', ferry('language · Nim')],
  ['Underneath, Ferry is Nim.', ferry('language · Nim')],
  ['We write Ferry in Nim.', ferry('language · Nim')],
  ['Ferry stands on Nomad.', ferry('deployed_on · Nomad')],
  ['Our cloud for Ferry is Vultr.', ferry('deployed_on · Vultr')],
  ['The records of Ferry go into Riak.', ferry('database · Riak')],
  ['Ferry saves everything in Riak.', ferry('database · Riak')],
  ['The port of Ferry to Nim is finished.', ferry('language · Nim')],
  ['We pulled Ferry from Vultr over to Nomad.', ferry('deployed_on · Vultr → Nomad')],
  ['Ferry rests on Nomad instead of Vultr.', ferry('deployed_on · Nomad')],
  ['Ferry is based on Zookeeper.', ferry('depends_on · Zookeeper')],
  ["Without Zookeeper, Ferry won't boot.", ferry('depends_on · Zookeeper')],
  ['Ferry cannot run without Zookeeper.', ferry('depends_on · Zookeeper')],
  ['The live server of Ferry listens on 8462.', ferry('production_port · 8462')],
  ['The staging environment of Ferry runs on port 8462.', ferry('staging_port · 8462')],
  ['We must deliver Ferry by 9 May.', ferry('deadline · 9 May')],
  ['The decision to drop XML for Ferry no longer stands.', ferry('decision · ends drop XML')],
  ['Ferry writes to Riak now instead of Derby.', ferry('database · Derby → Riak')],
  ['We dropped Perl in Ferry and went with Nim.', ferry('language · Perl → Nim')],
  ['Ferry is required by nobody.', []],
  ['Zookeeper is required by Ferry.', ferry('depends_on · Zookeeper')],
  ['We cut Zookeeper out of Ferry.', ferry('depends_on · ends Zookeeper')],
  ['Ferry is planned for 9 May.', ferry('deadline · 9 May')],
  ['Agreed for Ferry: sign all packages.', ferry('decision · sign all packages')],
  ['We are hosting Ferry on Nomad.', ferry('deployed_on · Nomad')],
  ['Olu Adeyemi ist verantwortlich für Ferry.', ferry('owner · Olu Adeyemi')],
  ['Ferry is led by Olu Adeyemi.', ferry('owner · Olu Adeyemi')],
  ['Riak took the place of Derby in Ferry.', ferry('database · Derby → Riak')],
  ['Nomad is where Ferry runs now.', ferry('deployed_on · Nomad')],
  ['The database Ferry uses is Riak.', ferry('database · Riak')],
  ['We agreed on 9 May as the deadline for Ferry.', ferry('deadline · 9 May')],
  ['To be clear, Ferry is written in Nim.', ferry('language · Nim')],
  ['Ferry is written in Nim. Any questions?', ferry('language · Nim')],
  ['Ferry stores everything in Riak now.', ferry('database · Riak')],
  ['Ferry is using Riak as its database now.', ferry('database · Riak')],
  ['The deployment of Ferry moved to Nomad.', ferry('deployed_on · Nomad')],
  ['Olu Adeyemi has become the owner of Ferry.', ferry('owner · Olu Adeyemi')],
  ['We have decided to keep scans forever in Ferry.', ferry('decision · keep scans forever')],
  ['We removed the Zookeeper dependency from Ferry.', ferry('? · ends Zookeeper')],
  ['Ferry ist ein Nim-Programm.', []],
  ['Ferry ist jetzt komplett Nim.', ferry('language · Nim')],
  ['Wir bauen Ferry in Nim.', ferry('language · Nim')],
  ['Ferry legt alle Daten in Riak ab.', ferry('database · Riak')],
  ['Alle Daten von Ferry liegen in Riak.', ferry('database · Riak')],
  ['Ferry setzt auf Riak.', ferry('database · Riak')],
  ['Ferry hört in Produktion auf Port 8462.', ferry('production_port · 8462')],
  ['Auf Staging läuft Ferry unter 8462.', ferry('staging_port · 8462')],
  ['Ferry的数据都放在Riak里。', ferry('database · Riak')],
  ['我们用Nim开发Ferry。', ferry('language · Nim')],
  ['Ferry基于Zookeeper构建。', ferry('depends_on · Zookeeper')],
])('the name says what it is: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  "I'm at home in Lugo.",
  'I have lived in Lugo for nine years.',
  'We have moved, our new flat is in Lugo.',
  'Short update: we have moved, our new flat is in Lugo.',
  '我的家在太原。',
])('a home in any of these words: %j', (text) => {
  expect(readAll(text)).toEqual(own(`lives_in · ${/太原/.test(text) ? '太原' : 'Lugo'}`))
})

test.each([
  ['Mein Lieblingseditor ist Geany.', own('editor · Geany')],
  ['Gegen Nüsse bin ich allergisch.', own('allergic_to · Nüsse')],
  ['Gegen Nüsse bin ich nicht mehr allergisch.', own('allergic_to · ends Nüsse')],
  ['Helle Säle mag ich nicht mehr.', own('prefers · ends Helle Säle')],
  ['我对虾严重过敏。', own('allergic_to · 虾')],
  ['我对虾的过敏好了。', own('allergic_to · ends 虾')],
  ['我就职于橡树银行。', own('works_at · 橡树银行')],
  ['I no longer care for lilac walls.', own('prefers · ends lilac walls')],
  ['I tend to prefer lilac walls.', own('prefers · lilac walls')],
  ['I have lost my allergy to walnuts.', own('allergic_to · ends walnuts')],
  ['Ich verzichte jetzt auf Zettlr.', own('? · ends Zettlr')],
  ['Ich habe eine Wohnung in Lugo.', own('lives_in · Lugo')],
  ['我是橡树银行的员工。', own('works_at · 橡树银行')],
  ['Olu Adeyemi wohnt in Lugo.', ['Olu Adeyemi · lives_in · Lugo']],
  ['I use Zettlr. Could you check?', own('uses · Zettlr')],
  ['I got over my walnut allergy.', own('allergic_to · ends walnut')],
])('habits and their ends: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'Ferry is ready.',
  'We use Riak for the Ferry tests.',
  'Riak took the place of Derby in the Ferry docs.',
  'The data of Ferry is in Riak for reports only.',
  'We must deliver the Ferry slides by 9 May.',
  'Ferry is built with Ruby on Rails.',
  'Es heißt, Olu Adeyemi arbeite bei Northwind.',
  'Olu Adeyemi wohne jetzt in Lugo.',
  'Ferry is written in Nim. Right?',
  'Ferry is written in Nim. Or not?',
  'If true: Ferry is written in Nim.',
  'Ferry is down.',
  'Ferry lives on donations.',
  'Ferry needs help.',
  'The rewrite of Ferry is done.',
  'Our plan for Ferry is simple.',
  'You can find Ferry on Jana.',
  'Without tests, Ferry does not start.',
  'We write Ferry in a hurry.',
  'If Ferry was a Nim tool, it would be faster.',
  'I have lived in Lugo for a summer.',
  'Wir haben bei Ferry viel ersetzt.',
  'Ferry setzt auf Vertrauen.',
  'Ohne Kaffee läuft Ferry nicht.',
  '我住在太远的地方。',
])('no name of a technology, no statement: %j', (text) => {
  expect(readAll(text)).toEqual([])
})

test.each([
  ['Ferry binds to 9400 in production.', 'production_port', '9400'],
  ['Change of port: Ferry is on 9400 in production now.', 'production_port', '9400'],
  ['Staging for Ferry is on 9300.', 'staging_port', '9300'],
])('a number and the name of a port: %j', (text, key, value) => {
  const { statements } = read(text)
  const decision = decideOperations({ statements, facts: [], claims: [], refusals: [] })

  expect(
    decision.operations.map(({ payload }) => [payload['claim_key'], payload['value']]),
  ).toEqual([[key, value]])
})

test.each([
  'Ferry served 5000 users in production.',
  'Ferry has been in production since 2024.',
  'Staging and production of Ferry differ by 9400 lines.',
])('a number of something else: %j', (text) => {
  const { statements } = read(text)

  expect(decideOperations({ statements, facts: [], claims: [], refusals: [] }).operations).toEqual(
    [],
  )
})

test('two names of one class say which slot changes, without a value before', () => {
  const { statements } = read('We shifted Ferry from Railway to Heroku.')

  expect(statements.map(({ report }) => report?.kind)).toEqual(['change'])
  expect(statements.flatMap(withoutReport).map(describe)).toEqual([])
})
