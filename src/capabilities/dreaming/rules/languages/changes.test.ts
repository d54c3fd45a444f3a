import { expect, test } from 'vitest'
import { readAll } from '../rules.fixture.ts'

const own = (statement: string) => [`Ada Moreau · ${statement}`]
const ferry = (statement: string) => [`Ferry · ${statement}`]

test.each([
  ["I've packed up and moved to Lugo.", own('lives_in · Lugo')],
  ["Moved house last weekend! I'm in Lugo now.", own('lives_in · Lugo')],
  ["I've moved! New place is in Lugo.", own('lives_in · Lugo')],
  ['Moved to Lugo last week.', own('lives_in · Lugo')],
  ['I traded Ferrol for Lugo.', own('? · Ferrol → Lugo')],
  ["Got a new job. I'm at Northwind from now on.", own('works_at · Northwind')],
  ["As of today I'm with Northwind.", own('works_at · Northwind')],
  ['New employer since March: Northwind.', own('works_at · Northwind')],
  ["I've switched employers, it's Northwind now.", own('works_at · Northwind')],
  ['Northwind and I have parted ways.', own('? · ends Northwind')],
  ['Northwind let me go.', own('? · ends Northwind')],
  ['I got promoted to head gardener.', own('role · head gardener')],
  ['Ditched Zile for Kate last week.', own('? · Zile → Kate')],
  ['I use Kate now instead of Zile.', own('? · Zile → Kate')],
  ['Zile is gone from my laptop.', own('? · ends Zile')],
  ['After six years I have swapped Ferrol for Lugo.', own('? · Ferrol → Lugo')],
  ['Since October I live in Lugo.', own('lives_in · Lugo')],
  ["I'm head of design now.", own('role · head of design')],
  ['Bei der Nordbank bin ich nicht mehr.', own('? · ends Nordbank')],
  ['Ich bin im Sommer nach Lugo gezogen.', own('lives_in · Lugo')],
  ["I've moved on from Zettlr.", own('? · ends Zettlr')],
  ["I've got a new phone, it's a Nordfon.", own('phone · Nordfon')],
  ['Ich bin umgezogen. Bin jetzt in Lugo.', own('lives_in · Lugo')],
  ['Neuer Wohnort: Lugo.', own('lives_in · Lugo')],
  ['Ich wohne nicht mehr in Ferrol, sondern in Lugo.', own('lives_in · Ferrol → Lugo')],
  ['Ich habe beim Brauhaus Nord gekündigt.', own('? · ends Brauhaus Nord')],
  ['Zettlr habe ich durch Krita ersetzt.', own('? · Zettlr → Krita')],
  ['Statt Zettlr benutze ich jetzt Krita.', own('? · Zettlr → Krita')],
  ['Zettlr got too slow, so I dropped it.', own('? · ends Zettlr')],
  ['Northwind no longer employs me.', own('? · ends Northwind')],
  ['Seit letztem Monat bin ich bei Nordwind angestellt.', own('works_at · Nordwind')],
  ['Von Zettlr bin ich weg.', own('? · ends Zettlr')],
  ['Zettlr我不用了。', own('? · ends Zettlr')],
  ['我搬回杭州了。', own('lives_in · 杭州')],
  ['我升职为主管了。', own('role · 主管')],
])('a change of a person: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  ['Ferry used to be on Nordhost. It is on Südhost now.', ferry('? · Südhost')],
  ['Ferry changed hands: Olu looks after it now.', ferry('owner · Olu Adeyemi')],
  ['The deadline for Ferry got pushed back to 3 June.', ferry('deadline · 3 June')],
  ['Ferry has been brought forward to 3 June.', ferry('deadline · 3 June')],
  ["Ferry's due on 3 June instead of 1 May.", ferry('deadline · 1 May → 3 June')],
  ["Ferry's deadline: not 1 May but 3 June.", ferry('deadline · 1 May → 3 June')],
  ['Ferry: staging port changed, 9200 → 9300.', ferry('staging_port · 9200 → 9300')],
  ['Ferry answers on 9400 in production these days.', ferry('production_port · 9400')],
  [
    "We've taken Ferry off Nordhost and put it on Südhost.",
    ferry('deployed_on · Nordhost → Südhost'),
  ],
  ['Ferry has a new home: Südhost.', ferry('deployed_on · Südhost')],
  ['Since Monday Ferry has been running on Südhost.', ferry('deployed_on · Südhost')],
  ["I've handed Ferry to Olu.", ferry('owner · Olu Adeyemi')],
  ['Ferry is mine now.', ferry('owner · Ada Moreau')],
  ['Ferry was bumped from version 2.0 to 2.1.', ferry('version · 2.0 → 2.1')],
  ['We removed Kafka from Ferry.', ferry('? · ends Kafka')],
  ['Ferry has left us cold. Kafka is gone.', ferry('? · ends Kafka')],
  ['Over Easter we converted Ferry from Java to Go.', ferry('? · Java → Go')],
  ["Nordhost got dear, that's why Ferry is now on Südhost.", ferry('? · Südhost')],
  ['Olu handed Ferry back to Jonas.', ferry('owner · Olu Adeyemi → Jonas Petersen')],
  ['Statt SQLite nutzt Ferry jetzt MariaDB.', ferry('? · SQLite → MariaDB')],
  ['Deadline change for Ferry: 3 June.', ferry('deadline · 3 June')],
  [
    'Die Frist für Ferry wurde um zwei Wochen auf den 19. Mai verschoben.',
    ferry('deadline · 19. Mai'),
  ],
  ['Ferry的截止日期推迟了，改为8月15日。', ferry('deadline · 8月15日')],
  ['Ferry läuft nun mit MariaDB statt Postgres.', ferry('? · Postgres → MariaDB')],
  ['Ferry hat eine neue Frist: 2. Mai.', ferry('deadline · 2. Mai')],
  ['Ferry wurde auf den 2. Mai verschoben.', ferry('deadline · 2. Mai')],
  ['Ich habe Ferry an Olu übergeben.', ferry('owner · Olu Adeyemi')],
  ['Ferry的截止日期提前到5月12日。', ferry('deadline · 5月12日')],
  ['Ferry改用Go开发。', ferry('language · Go')],
  ['我把Ferry交接给了王小明。', ferry('owner · 王小明')],
])('a change of a project: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'Someday, Ferry runs on Nordhost.',
  'Moved to Friday.',
  'Moved to Lugo in my dream.',
  'Left Ferrol for the weekend.',
  'Joined a meeting.',
  "I've moved the meeting to Thursday.",
  'Ferry moved to Monday.',
  'Next summer I move to Lugo.',
  'In my youth I lived in Lugo.',
  'Ferry should have moved to Azure.',
  'Ferry went from bad to worse.',
  'Ferry is back on track.',
  'Berlin is home now to three million people.',
  'Kate is history teacher.',
  "I switched banks. I'm with Nordbank now.",
  'Nutze Zettlr!',
  'Ich bin in Lugo.',
  '我要搬到杭州了。',
])('no change: %j', (text) => {
  expect(readAll(text)).toEqual([])
})
