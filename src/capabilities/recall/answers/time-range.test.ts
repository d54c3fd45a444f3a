import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readContentTerms } from '../../../search/index.ts'
import { readTimeRange } from './time-range.ts'

/** A Wednesday. */
const now = new Date('2025-10-15T10:00:00.000Z')
const rangeOf = (question: string, timeZone = 'UTC') => {
  const range = readTimeRange(question, { now, timeZone })
  return range && [range.start?.slice(0, 10), range.end?.slice(0, 10)]
}

test.each([
  [
    ['what did we do yesterday', 'was war gestern', '¿qué pasó ayer?', 'hier', '昨天'],
    '2025-10-14',
    '2025-10-15',
  ],
  [
    ['last week', 'vorige Woche', 'la semana pasada', 'la semaine dernière', '上周'],
    '2025-10-06',
    '2025-10-13',
  ],
  [
    ['last month', 'letzten Monat', 'el mes pasado', 'le mois dernier', '上个月'],
    '2025-09-01',
    '2025-10-01',
  ],
  [
    ['two months ago', 'vor zwei Monaten', 'hace dos meses', 'il y a deux mois', '两个月前'],
    '2025-08-01',
    '2025-09-01',
  ],
  [['in May', 'im Mai', 'en mayo', 'en mai', '五月份'], '2025-05-01', '2025-06-01'],
  [['since Monday', 'seit Montag', 'desde el lunes', 'depuis lundi'], '2025-10-13', '2025-10-16'],
  [
    [
      'last Saturday',
      'letzten Samstag',
      'am vergangenen Samstag',
      'el sábado pasado',
      'samedi dernier',
    ],
    '2025-10-11',
    '2025-10-12',
  ],
  [
    ['on 2025-09-03', 'on 3.9.2025', 'am 03.09.2025', 'el 2025-09-03', 'le 3.9.2025'],
    '2025-09-03',
    '2025-09-04',
  ],
  [['before March', 'vor März', 'antes de marzo', 'avant mars'], undefined, '2025-03-01'],
  [
    ['in spring', 'im Frühjahr', 'en primavera', 'au printemps', '春天'],
    '2025-03-01',
    '2025-06-01',
  ],
  [['this morning', 'heute früh', 'esta mañana', 'ce matin', '今天'], '2025-10-15', '2025-10-16'],
] as const)('%s', (questions, start, end) => {
  for (const question of questions)
    expect([question, rangeOf(question)]).toEqual([question, [start, end]])
})

test.each([
  'what happened last Saturday?',
  'Was passierte letzten Samstag?',
  '¿qué pasó el sábado pasado?',
  "qu'est-ce qui s'est passé samedi dernier ?",
  'what happened on 2025-10-03?',
  'what happened in the last 3 hours?',
  'Was geschah zwischen dem 3. und 5. Oktober?',
  '上周日发生了什么？',
  '昨天发生了什么事情',
  '我们上个月做了什么',
])('%s: the rest of the question has no word of the phrase', (question) => {
  expect(
    readContentTerms(readTimeRange(question, { now, timeZone: 'UTC' })?.rest ?? 'none'),
  ).toEqual([])
})

test('a month that has not begun is that of last year, and a verb is no month', () => {
  expect(rangeOf('what was in December')).toEqual(['2024-12-01', '2025-01-01'])
  expect(rangeOf('on 3 November 2023')).toEqual(['2023-11-03', '2023-11-04'])
  expect(rangeOf('may I go')).toBeUndefined()
  expect(rangeOf('is port 3.10.2025 free on 2025-13-01')).toBeUndefined()
})

test('a coming time is no range, because memories are from the past', () => {
  expect(rangeOf('what is planned for next week')).toBeUndefined()
  expect(rangeOf('下周做什么')).toBeUndefined()
})

test('days begin in the time zone of the caller', () => {
  const range = readTimeRange('yesterday', { now, timeZone: 'America/New_York' })
  expect(range).toMatchObject({
    start: '2025-10-14T04:00:00.000Z',
    end: '2025-10-15T04:00:00.000Z',
  })
  expect(range?.rest).toBe('')
})

test.each(['what broke in the last 3 hours', 'was ging in den letzten drei Stunden kaputt'])(
  '%s: the range begins at an hour',
  (question) => {
    const hours = { start: '2025-10-15T07:00:00.000Z', end: '2025-10-15T22:00:00.000Z' }
    expect(readTimeRange(question, { now, timeZone: 'Europe/Berlin' })).toMatchObject(hours)
  },
)

test('a text with spaces is searched without its time phrase, a Chinese text as it is', () => {
  const restOf = (question: string) => readTimeRange(question, { now, timeZone: 'UTC' })?.rest
  expect(restOf('what broke two months ago')).toBe('what broke')
  expect(restOf('Was ging vorige Woche kaputt')).toMatch(/^was ging +kaputt$/)
  expect(restOf('上周三的会议和昨天的报告')).toBe('上周三的会议和昨天的报告')
})

test.each([
  ['what broke between 3 and 5 October', '2025-10-03', '2025-10-06'],
  ['was geschah zwischen dem 3. und 5. Oktober', '2025-10-03', '2025-10-06'],
  ['was geschah vom 3. bis zum 5. Oktober', '2025-10-03', '2025-10-06'],
  ['what broke from the 28th of December to the 3rd of January', '2024-12-28', '2025-01-04'],
  ['what broke between 14 and 20 October', '2025-10-14', '2025-10-21'],
  ['was geschah in den letzten drei Tagen', '2025-10-12', '2025-10-16'],
  ['what broke on Tuesday of last week', '2025-10-07', '2025-10-08'],
  ['上周二发生了什么', '2025-10-07', '2025-10-08'],
  ['上个星期天发生了什么', '2025-10-12', '2025-10-13'],
  ['what broke 3 days ago', '2025-10-12', '2025-10-13'],
  ['what broke on 5 May', '2025-05-05', '2025-05-06'],
  ['what broke between March and June', '2025-03-01', '2025-07-01'],
  ['was geschah zwischen März und Juni', '2025-03-01', '2025-07-01'],
  ['qué pasó entre marzo y junio', '2025-03-01', '2025-07-01'],
])('%s', (question, start, end) => {
  expect(rangeOf(question)).toEqual([start, end])
})

test('any text is read without an error, and a range is not empty', () => {
  const word = fc.constantFrom(
    'in',
    'may',
    'last',
    '31',
    'feb',
    'vor',
    '12',
    'week',
    '上周',
    'ago',
    'of',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join(' ')),
  )
  fc.assert(
    fc.property(text, (question) => {
      const { start = '', end = '\uffff' } = readTimeRange(question, { now, timeZone: 'UTC' }) ?? {}
      expect(start < end).toBe(true)
    }),
  )
})
