import { expect, test } from 'vitest'
import { project } from './projection-worker.ts'

const width = 4

/** Rows in five heaps, the same in every run. */
function rowsOf(count: number): Float32Array {
  const heap = (row: number) => 9 * (row % 5)
  return Float32Array.from({ length: count * width }, (_, at) => {
    const [row, column] = [Math.floor(at / width), at % width]
    return heap(row) * (column + 1) + Math.sin(row * 7 + column)
  })
}

// Beyond 450 rows neighbours are looked for among those that lie near.
test.each([
  [2, 0],
  [2, 1],
  [3, 5],
  [2, 60],
  [3, 60],
  [2, 470],
])('in %i dimensions, %i rows fill the space, each next to its nearest', (dimensions, count) => {
  const { points, edges } = project({ values: rowsOf(count), width, dimensions })

  expect(points.map((point) => point.length)).toEqual(Array(count).fill(dimensions))
  for (let axis = 0; axis < dimensions && count > 1; axis += 1) {
    const values = points.map((point) => point[axis] ?? 0)
    expect([Math.min(...values), Math.max(...values)]).toEqual([-210, 210])
  }
  expect(edges.every(([one, other]) => one < other && other < count)).toBe(true)
  expect(new Set(edges.map(String)).size).toBe(edges.length)
  const linked = points.map((_, at) => edges.filter((edge) => edge.includes(at)).length)
  expect(linked.every((times) => times >= Math.min(4, count - 1))).toBe(true)
  const near = edges.filter(([one, other]) => one % 5 === other % 5)
  if (count > 5) expect(near.length / edges.length).toBeGreaterThan(0.9)
})
