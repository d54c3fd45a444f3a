import { expect, test } from 'vitest'
import { layOut, toFrame } from './layout.ts'

const nodes = Array.from({ length: 12 }, (_, index) => ({ id: String(index) }))
const edges = [
  { from: '0', to: '1' },
  { from: '2', to: 'absent' },
]

test('places each node, linked ones nearer than others, and the same at each time', () => {
  const points = layOut(nodes, edges)
  const at = (id: string) => points.get(id) ?? { x: 0, y: 0 }
  const apart = (one: string, other: string) =>
    Math.hypot(at(one).x - at(other).x, at(one).y - at(other).y)
  const others = nodes.slice(2).map(({ id }) => apart('0', id))

  expect(points.size).toBe(nodes.length)
  expect(apart('0', '1')).toBeLessThan(others.reduce((sum, each) => sum + each) / others.length)
  expect(layOut(nodes, edges)).toEqual(points)
})

test('frames all points, and one point alone', () => {
  const points = [...layOut(nodes, edges).values()]
  const { x, y, width, height } = toFrame(points)
  for (const point of points) {
    expect(Math.abs(point.x - x)).toBeLessThan(width / 2)
    expect(Math.abs(point.y - y)).toBeLessThan(height / 2)
  }
  expect(toFrame([{ x: 5, y: 7 }])).toMatchObject({ x: 5, y: 7, width: 320 })
})
