import { expect, test } from 'vitest'
import { rankRows } from './rank-answers.fixture.ts'
import { createTextSimilarity } from './text-similarity.ts'

/** The texts of a topic are near each other. */
const similarityOf = (topics: Readonly<Record<string, number>>) =>
  createTextSimilarity((text) => {
    const angle = topics[text]
    return angle === undefined ? undefined : Float32Array.of(Math.cos(angle), Math.sin(angle))
  })
const low = { lexical: 0.3, soft: 0.3, vector: 0.3, hint: 0 }
const cases = [
  [
    'what do we feed the geese',
    'The geese get barley in the morning',
    'New bag: crushed maize for the birds',
    'The pond is deep',
  ],
  [
    'Was fressen die Gänse?',
    'Die Gänse bekommen morgens Gerste',
    'Ab sofort Maisschrot für das Federvieh',
    'Der Teich ist tief',
  ],
] as const

test.each(cases)(
  '%s: the nearest newer text that announces a change answers',
  (query, old, recent, pond) => {
    const rows = [
      { content: old },
      { content: recent, evidence: low, score: 0.5 },
      { content: pond, evidence: low, score: 0.3 },
    ]
    const near = similarityOf({ [old]: 0, [recent]: 0.3, [pond]: 1.5 })
    const far = similarityOf({ [old]: 0, [recent]: 0.7, [pond]: 0.3 })

    const [first, second] = rankRows(query, rows, near)

    expect(first?.hit.content).toBe(recent)
    expect(first?.stages).toContainEqual(
      expect.objectContaining({ name: 'successor', reason: expect.stringContaining('nearest') }),
    )
    expect(second?.outdatedBy?.content).toBe(recent)
    expect(rankRows(query, rows, far)[0]?.hit.content).toBe(old)
    expect(rankRows(query, rows)[0]?.hit.content).toBe(old)
    expect(rankRows(query, rows, () => 0)[0]?.hit.content).toBe(old)
  },
)

test.each([
  ['asks about the past', 'what did we previously feed the geese', 0.5, 'New bag: crushed maize'],
  ['is much weaker', 'what do we feed the geese', 0.2, 'New bag: crushed maize'],
  ['announces no change', 'what do we feed the geese', 0.5, 'Maize lies in the shed'],
  ['is a list', 'which things do we feed the geese, all of them', 0.5, 'New bag: crushed maize'],
])('the older text answers if the question or the newer text %s', (_, query, score, recent) => {
  const old = 'The geese get barley in the morning'
  const rows = [{ content: old }, { content: recent, evidence: low, score }]

  expect(rankRows(query, rows, () => 1)[0]?.hit.content).toBe(old)
})
