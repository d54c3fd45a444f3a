import { expect, test } from 'vitest'
import { readAll } from '../rules.fixture.ts'

test.each([
  ['We exchanged Riak for Firebird in Ferry.', ['Ferry · ? · Riak → Firebird']],
  ['In Ferry we swapped Riak for Firebird.', ['Ferry · ? · Riak → Firebird']],
  ['The Ferry team dropped Riak and brought in Firebird.', ['Ferry · ? · Riak → Firebird']],
  ['We ripped Riak out of Ferry and put in Firebird.', ['Ferry · ? · Riak → Firebird']],
  ['Riak was exchanged for Firebird in Ferry.', ['Ferry · ? · Riak → Firebird']],
  ['Ferry no longer uses Riak but Firebird.', ['Ferry · ? · Riak → Firebird']],
  ['Riak has been taken out of Ferry.', ['Ferry · ? · ends Riak']],
  ['The dependency of Ferry on Riak was cut.', ['Ferry · ? · ends Riak']],
  ['I gave Trello up.', ['Ada Moreau · ? · ends Trello']],
  ['Trello is no longer something I use.', ['Ada Moreau · ? · ends Trello']],
  ['I no longer use Trello but Miro.', ['Ada Moreau · ? · Trello → Miro']],
  [
    'I quit Northwind, started at Osprey Films.',
    ['Ada Moreau · works_at · Northwind → Osprey Films'],
  ],
  [
    'Olu Adeyemi takes on Ferry from Jonas Petersen.',
    ['Ferry · owner · Jonas Petersen → Olu Adeyemi'],
  ],
  [
    'We decided not to drop the beta in Ferry after all.',
    ['Ferry · decision · ends drop the beta'],
  ],
  ['We no longer drop the beta in Ferry.', ['Ferry · decision · ends drop the beta']],
  ['Ferry slips past May 3. The new deadline is June 4.', ['Ferry · deadline · June 4']],
  ['We agreed with the client on a new deadline for Ferry: June 4.', ['Ferry · deadline · June 4']],
  ['The database of Ferry was swapped out for Riak.', ['Ferry · database · Riak']],
  ['Rewrite of Ferry is done, Nim throughout', ['Ferry · language · Nim']],
  ['The port of Ferry to Nim has been merged.', ['Ferry · language · Nim']],
  ['Ferry used to be Perl. As of this week it is Nim.', ['Ferry · language · Nim']],
  ['Ferry is all Nim', ['Ferry · language · Nim']],
  ['We do Ferry in Nim.', ['Ferry · language · Nim']],
  ['Riak is what Ferry uses as a database.', ['Ferry · database · Riak']],
  ["It's decided, we drop the beta in Ferry.", ['Ferry · decision · drop the beta']],
  [
    'Ich arbeite nicht mehr bei Northwind, sondern bei Gasthof am Wald.',
    ['Ada Moreau · works_at · Northwind → Gasthof am Wald'],
  ],
  ['Ich bin bei Haus am Hafen angestellt.', ['Ada Moreau · works_at · Haus am Hafen']],
  ['我们刚搬到苏州。', ['Ada Moreau · lives_in · 苏州']],
  ['我们一家搬到苏州了。', ['Ada Moreau · lives_in · 苏州']],
  ['我不在北风公司上班了，现在在蓝鲸科技。', ['Ada Moreau · works_at · 北风公司 → 蓝鲸科技']],
])('replacements: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'We exchanged mails for an hour in Ferry.',
  'We took Riak out of the Ferry slides and put in Firebird.',
  "We took Riak out of Ferry's tests and put in Firebird.",
  'We decided not to drop the beta in Ferry yet.',
  'I gave Trello up to my sister.',
  'I let Trello go through the night.',
  'I almost gave Trello up.',
  'Olu Adeyemi picks up Ferry from the airport.',
  'Olu Adeyemi takes on Ferry from Jonas Petersen while he is away.',
  'Lantern and Ferry are late. The new deadline is June 4.',
  'The rewrite of Ferry is done, Nim is next.',
  'The port of Ferry to Nim has been merged into a branch.',
  'The port of Ferry to Nim was discussed.',
  'Ferry is all good.',
  'Ferry is all about Nim.',
  'We do Ferry in Lugo.',
  'Riak is what Ferry used as a database.',
  'A huge fan of Olu Adeyemi here.',
  'Ich bin bei Freunden am Hafen angestellt.',
  '我们刚搬到二楼。',
  '我们公司搬到苏州了。',
  '我用Julia写代码。',
  '我不在家上班了，现在在公司。',
])('no replacement: %j', (text) => {
  expect(readAll(text)).toEqual([])
})
