import { expect, test } from 'vitest'
import { firstOf, rankRows } from './rank-answers.fixture.ts'
import { announcesChange } from './tense-words.ts'

/** Has less of the question than the older text. */
const partial = { evidence: { lexical: 0.45, soft: 0.5, vector: 0.4, hint: 0 }, score: 0.6 }

test.each([
  [
    'what is the booth painted with',
    'The booth of the fair is painted with oil colour',
    'Booth of the fair repainted, oil colour scrapped: chalk it is',
  ],
  [
    'womit wird die Bude gestrichen',
    'Die Bude auf dem Markt wird mit Ölfarbe gestrichen',
    'Die Bude auf dem Markt bekommt nun Kalkfarbe statt Ölfarbe',
  ],
  [
    '¿con qué se pinta la caseta?',
    'La caseta de la feria se pinta con pintura al óleo',
    'La caseta de la feria pasa a pintura de cal, fuera el óleo',
  ],
  ['摊位用什么漆?', '集市的摊位用油漆', '集市的摊位改用石灰漆,油漆取消'],
])('%s: a text that announces a change is the newer version', (query, old, recent) => {
  const [first, second] = rankRows(query, [{ content: old }, { content: recent, ...partial }])

  expect(first?.hit.content).toBe(recent)
  expect(second?.outdatedBy?.content).toBe(recent)
})

test.each([
  [
    'what does code Z-31 mean',
    'Code Z-31 of the dryer means an open door',
    'Correction about Z-31: the dryer shows it for a blocked filter, the door is innocent',
  ],
  [
    'which bell do we ring',
    'The small bell, next to the organ, is rung at noon',
    'Correction about the bell: that one is for funerals, ours hangs left',
  ],
  [
    '¿qué campana tocamos?',
    'La campana pequeña se toca a mediodía',
    'Corrección de la campana: esa es para entierros, la nuestra es la grande',
  ],
  [
    'was bedeutet der Code Z-31',
    'Code Z-31 am Trockner bedeutet eine offene Tür',
    'Korrektur zu Z-31: der Trockner zeigt damit ein verstopftes Sieb, nicht die Tür',
  ],
])(
  '%s: a correction replaces what it corrects, though it begins otherwise',
  (query, old, recent) => {
    expect(firstOf(query, [{ content: old }, { content: recent, ...partial }])).toBe(recent)
  },
)

test.each([
  [
    'was kostet der Stand',
    'Der Stand kostet 20 Euro am Tag',
    'Der Stand kostet ab sofort 24 Euro am Tag',
  ],
  [
    'what is the stall fee',
    'The stall fee is 20 euros a day',
    'The stall fee is now 24 euros a day',
  ],
])('%s: "was" is a verb of the past in English only', (query, old, recent) => {
  expect(firstOf(query, [{ content: old }, { content: recent, score: 0.7 }])).toBe(recent)
})

test('a Chinese text begins with no word by which subjects differ', () => {
  const [old, recent] = ['乐队的鼓手是陈先生', '陈先生退休了,乐队的鼓手由吴小姐担任']
  const rows = [{ content: old, score: 0.7 }, { content: recent }]

  expect(firstOf('以前乐队的鼓手是谁?', rows)).toBe(old)
})

test.each([
  ['lockers', 'Locker no. 3 belongs to Ken', 'Locker no. 8 belongs to Ida'],
  ['lamps', 'The lamp number 3 stands by the door', 'The lamp number 4 stands by the gate'],
  ['halls', 'Hall A seats forty people', 'Hall B seats sixty people'],
  ['Saal', 'Der Saal A hat vierzig Plätze', 'Der Saal B hat sechzig Plätze'],
  ['方案', '方案A是租船去岛上', '方案B是坐车去岛上'],
])('%s: things with other numbers or letters are no versions', (query, old, recent) => {
  const ranked = rankRows(query, [{ content: old }, { content: recent }])

  expect(ranked.map(({ outdatedBy }) => outdatedBy)).toEqual([undefined, undefined])
})

test('a change of the letter of a thing is a newer version', () => {
  const recent = 'Plan B is our plan for the summer party now'
  const rows = [{ content: 'Plan A is our plan for the summer party' }, { content: recent }]

  expect(rankRows('what is our plan for the summer party', rows)[1]?.outdatedBy?.content).toBe(
    recent,
  )
})

test.each([
  'The forge relocated to the harbour',
  'The fair slips to October',
  'The mill switches to rye in spring',
  'The bell is up from two to three rings',
  'Der Markt wird auf den Hafen verlegt',
  'Die Schmiede wechselt zu Holzkohle',
  'Ab heute läutet die Glocke dreimal',
  'El mercado se muda al puerto',
  'La fragua se retrasa hasta octubre',
  '集市推迟到十月',
  '铁匠铺改用木炭',
])('%s: announces a change', (text) => {
  expect(announcesChange(text)).toBe(true)
})

test.each([
  'The forge is at the harbour',
  'Der Markt liegt am Hafen',
  'El mercado está en el puerto',
  '集市在码头',
])('%s: announces none', (text) => {
  expect(announcesChange(text)).toBe(false)
})
