import { expect, test } from 'vitest'
import { dropBeforeClause } from './before-clause.ts'
import { firstOf, rankRows } from './rank-answers.fixture.ts'

test.each([
  ['which broker did we use before Redis?', 'which broker did we use'],
  ['how did we do standups before #daily?', 'how did we do standups'],
  ['what did the dog eat before the itching?', 'what did the dog eat'],
  ['wer hatte den Schlüssel vor der Übergabe?', 'wer hatte den Schlüssel'],
])('%s asks about the time before', (question, rest) => {
  expect(dropBeforeClause(question).replace(/[\s?]+$/, '')).toBe(rest)
})

test.each([
  'what must be checked before the launch?',
  'what did we pay before March?',
  'what did you say before that?',
  'before the launch',
])('%s is searched as it is', (question) => {
  expect(dropBeforeClause(question)).toBe(question)
})

test.each([
  [
    'how did we get the tides before the webhook?',
    'The harbour pushes tides by webhook, and the nightly job is deleted.',
    'Tides are fetched from the harbour every night.',
  ],
  [
    'wie kamen die Gezeiten früher an, vor dem Webhook?',
    'Der Hafen schickt Gezeiten über den Webhook.',
    'Gezeiten holt ein Job im Hafen jede Nacht.',
  ],
])('%s: a text about the later state stands behind', (query, later, earlier) => {
  const rows = [
    { content: earlier, score: 0.6 },
    { content: later, score: 0.9 },
  ]

  expect(firstOf(query, rows)).toBe(earlier)
})

test('a text that describes an earlier state keeps its rank', () => {
  const [first] = rankRows('what did we check before the launch?', [
    { content: 'Checked the logs before the launch.', score: 0.9 },
    { content: 'Checked the masts in spring.', score: 0.6 },
  ])

  expect(first?.stages.map(({ name }) => name)).not.toContain('later state')
  expect(first?.hit.content).toMatch(/logs/)
})
