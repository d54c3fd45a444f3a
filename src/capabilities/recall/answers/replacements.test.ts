import { expect, test } from 'vitest'
import { rankRows } from './rank-answers.fixture.ts'

const older = (id: string, content: string) => ({ id, content, replacements: [`${id}-new`] })
const newer = (id: string, content: string) => ({
  id: `${id}-new`,
  content,
  isRelated: true,
  score: 0,
  evidence: { lexical: 0, soft: 0, vector: 0.1, hint: 0 },
})

test.each([
  ['who runs the ferry', 'Osric runs the ferry', 'Petra has his licence and steers since May'],
  ['Wer fährt die Fähre?', 'Osric fährt die Fähre', 'Petra hat das Steuer übernommen'],
])('%s: what replaced the claims of the best text stands before it', (query, old, recent) => {
  const [first, second] = rankRows(query, [older('ferry', old), newer('ferry', recent)])

  expect(first?.hit.content).toBe(recent)
  expect(second?.outdatedBy).toBe(first?.hit)
  expect(first?.stages).toContainEqual(expect.objectContaining({ name: 'replaced' }))
  expect(second?.stages).toContainEqual(expect.objectContaining({ name: 'replaced' }))
})

test.each([
  'who ran the ferry previously',
  'who runs the ferry in January',
  'wer fuhr die Fähre früher',
])('%s: the replaced text answers', (query) => {
  const rows = [older('ferry', 'Osric runs the ferry, die Fähre'), newer('ferry', 'Petra steers')]
  const ranked = rankRows(query, rows)

  expect(ranked.map(({ hit }) => hit.id)).toEqual(['ferry'])
  expect(ranked[0]?.outdatedBy?.content).toBe('Petra steers')
})

test('a replacement among the hits is behind in a question about the past only', () => {
  const rows = [
    { ...older('ferry', 'Osric runs the ferry'), score: 0.5 },
    { id: 'ferry-new', content: 'Petra is at the wheel of the ferry', score: 0.6 },
  ]

  expect(rankRows('who runs the ferry', rows)[0]?.hit.id).toBe('ferry-new')
  expect(rankRows('who ran the ferry previously', rows)[0]?.hit.id).toBe('ferry')
})

test('a text whose replacement is unreadable keeps its place', () => {
  const [first] = rankRows('who runs the ferry', [older('ferry', 'Osric runs the ferry')])

  expect(first).toMatchObject({ outdatedBy: undefined, score: 0.8 })
})
