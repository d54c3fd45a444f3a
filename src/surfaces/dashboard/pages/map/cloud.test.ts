import { expect, test } from 'vitest'
import { groupPoints, toPositions } from './cloud.ts'

const now = Date.parse('2026-05-20T12:00:00Z')
const node = (type: string, createdAt: string, x = 0, y = 0) => {
  return { id: type, content: '', type, who: type, createdAt, x, y }
}

test('positions fill the range of each axis, and are flat without a third one', () => {
  const nodes = [node('a', '', 10, 5), node('b', '', 30, 5), node('c', '', 20, 5)]

  expect([...toPositions(nodes)]).toEqual([-1, 0, 0, 1, 0, 0, 0, 0, 0])
})

test('the largest groups have a colour each, the others share one', () => {
  const nodes = [...'aaabbcdefg'].map((type) => node(type, ''))
  const { names, groups } = groupPoints(nodes, 'type', now)

  expect(names).toEqual(['a', 'b', 'c', 'd', 'e', 'other'])
  expect([...groups]).toEqual([0, 0, 0, 1, 1, 2, 3, 4, 5, 5])
})

test('the age of a memory chooses its group', () => {
  const times = [
    '2026-05-20T08:00:00Z',
    '2026-05-15T08:00:00Z',
    '2026-05-01T08:00:00Z',
    '2025-01-01',
  ]
  const nodes = times.map((time) => node('a', time))

  expect([...groupPoints(nodes, 'time', now).groups]).toEqual([0, 1, 2, 3])
})
