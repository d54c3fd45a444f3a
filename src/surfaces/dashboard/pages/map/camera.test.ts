import { expect, test } from 'vitest'
import { drag, firstView, toMatrix, toScreen, zoomBy } from './camera.ts'

const size = { width: 1000, height: 500 }
const corners = Float32Array.of(-1, -1, 0, 1, 1, 0, 0, 0, 1)
const place = (view = firstView, index = 0) => toScreen(toMatrix(view, size), corners, index, size)

test('a flat map fills its picture, with the second axis upwards', () => {
  expect(place()).toMatchObject({ x: expect.closeTo(30, 0), y: expect.closeTo(485, 0) })
  expect(place(firstView, 1)).toMatchObject({ x: expect.closeTo(970, 0), y: expect.closeTo(15, 0) })
})

test('a drag moves a flat map with the pointer', () => {
  const moved = place(drag(firstView, 0.1, 0.2))

  expect(moved).toMatchObject({ x: expect.closeTo(130, 0), y: expect.closeTo(585, 0) })
})

test('a zoom holds the middle, within its bounds', () => {
  const near = zoomBy(zoomBy(drag(firstView, 0.25, 0), 2), 1000)

  expect(near.zoom).toBe(60)
  expect(near.x).toBeCloseTo(30)
  expect(zoomBy(firstView, 0.1)).toEqual(firstView)
})

test('depth makes near points larger, and hides those behind the camera', () => {
  const front = { ...firstView, dimensions: 3 as const, yaw: 0, pitch: 0 }
  expect(place(front, 2)).toEqual({ x: 500, y: 250 })
  expect(place({ ...front, zoom: 4 }, 2)).toBeUndefined()

  const turned = place(drag(front, 0.5, 0), 2)
  expect(turned?.x).toBeGreaterThan(600)
})
