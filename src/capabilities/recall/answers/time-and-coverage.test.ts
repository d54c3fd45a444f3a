import { expect, test } from 'vitest'
import { toConfidenceLevel } from './confidence.ts'
import { evidence, firstOf, rankRows } from './rank-answers.fixture.ts'

test.each([
  [
    'what did the office cost originally',
    'rent is up to 40',
    'rent is 30 a month',
    'rent is 35 since May',
  ],
  [
    'Was kostete das Büro anfangs?',
    'Miete steigt auf 40',
    'Miete beträgt 30 im Monat',
    'Miete jetzt 35 im Monat',
  ],
])('%s: the oldest of three versions stands first', (query, newest, oldest, middle) => {
  const [about = ''] = [
    /Büro/.test(query) ? 'Für das Büro am Hafen' : 'For the office at the harbour',
  ]
  const row = (text: string, month: number) => ({
    content: `${about}: ${text}`,
    createdAt: `2025-0${month}-01T00:00:00.000Z`,
  })

  expect(firstOf(query, [row(newest, 8), row(middle, 5), row(oldest, 1)])).toContain(oldest)
})

test.each([
  ['what did the ferry cost in March', 'The ferry costs 12 now', 'The ferry costs 9'],
  ['Was kostet die Fähre im März?', 'Die Fähre kostet jetzt 12', 'Die Fähre kostet 9'],
])('%s: the version of that time stands first', (query, recent, old) => {
  const rows = [
    { content: recent, createdAt: '2025-07-01T00:00:00.000Z', score: 0.9 },
    { content: old, createdAt: '2025-02-01T00:00:00.000Z' },
  ]

  expect(firstOf(query, rows)).toBe(old)
})

test.each([
  ['what happened last week', 'The pump stopped', 'The week of the pump'],
  ['Was passierte letzte Woche?', 'Die Pumpe blieb stehen', 'Die Woche der Pumpe'],
])('%s: everything from that time answers, and nothing else', (query, inside, outside) => {
  const poor = { lexical: 0, soft: 0.1, vector: 0.1, hint: 0 }
  const [first] = rankRows(query, [
    { content: outside, createdAt: '2025-06-01T00:00:00.000Z', score: 0.9 },
    { content: inside, createdAt: '2025-09-10T12:00:00.000Z', score: 0.5, evidence: poor },
  ])

  expect(first?.hit.content).toBe(inside)
  expect(toConfidenceLevel(first?.confidence ?? 0)).not.toBe('low')
})

test('a note that names the month loses nothing', () => {
  const [first] = rankRows('when is the regatta in May', [
    { content: 'The regatta was cold.', createdAt: '2025-08-01T00:00:00.000Z', score: 0.9 },
    { content: 'Regatta on May 8 at noon.', createdAt: '2025-02-01T00:00:00.000Z', score: 0.6 },
  ])

  expect(first?.hit.content).toBe('Regatta on May 8 at noon.')
})

test('a long text with all words stands before a short one with few', () => {
  const long = `${'The hall is heated in winter. '.repeat(25)}The organ needs twelve pipes.`
  const rows = [
    { content: 'The organ is old.', score: 0.85, evidence: { ...evidence, lexical: 0.3 } },
    { content: long, score: 0.8, evidence: { ...evidence, lexical: 1 } },
  ]

  expect(firstOf('how many pipes does the organ need', rows)).toBe(long)
})

test('words that are far apart in a long text count less', () => {
  const filler = 'The hall is heated in winter. '.repeat(40)
  const confidenceOf = (content: string) =>
    rankRows('how many pipes does the organ need', [
      { content, evidence: { lexical: 1, soft: 1, vector: 0.3, hint: 0 } },
    ])[0]?.confidence ?? 0

  expect(confidenceOf(`The organ. ${filler} The pipes.`)).toBeLessThan(
    confidenceOf(`${filler} The organ and the pipes.`),
  )
})

test('a lead without the identifier gives no confidence', () => {
  const rows = [
    { content: 'Form XR-2041 is for the harbour', score: 0.9 },
    { content: 'The harbour is closed', score: 0.4, evidence: { ...evidence, lexical: 0.2 } },
  ]
  const level = (query: string) => toConfidenceLevel(rankRows(query, rows)[0]?.confidence ?? 0)

  expect(level('what is form XR-2041 for')).not.toBe('low')
  expect(level('what is form XR-2014 for')).toBe('low')
})

test('a name may be written in another script, and a project belongs to its notes', () => {
  const [chinese] = rankRows('when does Lisa have class', [{ content: '丽莎周六上课' }])
  const [english] = rankRows('when does Lisa have class', [{ content: 'Class is on Saturday' }])
  const [ofProject] = rankRows('which oil does the RX70 take', [
    { content: 'It takes light oil', project: 'rx70' },
  ])

  expect(chinese?.features.specificCoverage).toBeGreaterThan(0.5)
  expect(english?.features.specificCoverage).toBe(0)
  expect(ofProject?.features.specificCoverage).toBe(1)
})

test('the verb "may" is no month', () => {
  const content = 'The tenant may choose: a lamp or a rug for the hall'
  const [row] = rankRows('which lamp may the tenant choose in April', [
    { content, createdAt: '2025-02-20T00:00:00.000Z' },
  ])

  expect(toConfidenceLevel(row?.confidence ?? 0)).not.toBe('low')
})

test.each([
  ['what was the council of May about', 'Council April: no new lamps', 'Council May: a new bridge'],
  ['Worum ging es im Rat im Mai?', 'Rat April: keine Lampen', 'Rat Mai: eine Brücke'],
])('%s: the record of another month is no answer', (query, other, right) => {
  const levelOf = (content: string) => {
    const [row] = rankRows(query, [{ content, createdAt: '2025-04-20T00:00:00.000Z' }])
    return toConfidenceLevel(row?.confidence ?? 0)
  }

  expect(levelOf(other)).toBe('low')
  expect(levelOf(right)).not.toBe('low')
})

test.each([
  ['how often did the pump run in March', 'The pump runs each hour', 'The pump runs each day now'],
  ['wie oft lief die Pumpe im März', 'Die Pumpe läuft stündlich', 'Die Pumpe läuft jetzt täglich'],
])('%s: of two versions the one of that time answers', (query, first, second) => {
  const later = { content: `${second}, after all weekly`, createdAt: '2025-05-10T00:00:00.000Z' }

  const rows = [{ content: first, score: 0.85 }, { content: second }, later]
  expect(firstOf(query, rows)).toBe(second)
  expect(rankRows(query, rows)[0]?.features.isOutdated).toBe(false)
})
