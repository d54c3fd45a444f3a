import type { Point } from './lasso.ts'

/** Where the reader looks from. Positions are between -1 and 1 on each axis. */
export interface View {
  readonly dimensions: 2 | 3
  readonly zoom: number
  /** The shift of a flat map. */
  readonly x: number
  readonly y: number
  /** The turn of a map with depth, in radians. */
  readonly yaw: number
  readonly pitch: number
}

/** Column by column, as WebGL reads it. */
export type Matrix = readonly number[]

export interface Size {
  readonly width: number
  readonly height: number
}

export const firstView: View = { dimensions: 2, zoom: 1, x: 0, y: 0, yaw: 0.5, pitch: 0.3 }

const margin = 0.94
export const cameraDistance = 3
const focalLength = 1.6

/** The matrix from positions to the clip space of WebGL. */
export function toMatrix({ dimensions, zoom, x, y, yaw, pitch }: View, size: Size): Matrix {
  const scale = zoom * margin
  if (dimensions === 2) return [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 0, 0, x, y, 0, 1]
  const focalX = (focalLength * size.height) / size.width
  const [sinYaw, cosYaw] = [Math.sin(yaw) * scale, Math.cos(yaw) * scale]
  const [sin, cos] = [Math.sin(pitch), Math.cos(pitch)]
  const column = (right: number, up: number, near: number) => [
    focalX * right,
    focalLength * up,
    0,
    -near,
  ]
  return [
    ...column(cosYaw, sin * sinYaw, -cos * sinYaw),
    ...column(0, cos * scale, sin * scale),
    ...column(sinYaw, -sin * cosYaw, cos * cosYaw),
    ...[0, 0, 0, cameraDistance],
  ]
}

/** The place of a position on the canvas; undefined behind the camera. */
export function toScreen(
  matrix: Matrix,
  positions: Float32Array,
  index: number,
  { width, height }: Size,
): Point | undefined {
  const [x = 0, y = 0, z = 0] = positions.subarray(index * 3, index * 3 + 3)
  const row = (offset: number) =>
    (matrix[offset] ?? 0) * x +
    (matrix[4 + offset] ?? 0) * y +
    (matrix[8 + offset] ?? 0) * z +
    (matrix[12 + offset] ?? 0)
  const w = row(3)
  if (w <= 0) return undefined
  return { x: ((row(0) / w + 1) / 2) * width, y: ((1 - row(1) / w) / 2) * height }
}

const maxZoom = 60
const maxPitch = 1.5

/** Moves a flat map, and turns one with depth, by a part of its width and height. */
export function drag(view: View, right: number, down: number): View {
  if (view.dimensions === 2) return { ...view, x: view.x + right * 2, y: view.y - down * 2 }
  const pitch = Math.min(maxPitch, Math.max(-maxPitch, view.pitch + down * Math.PI))
  return { ...view, yaw: view.yaw + right * Math.PI, pitch }
}

/** The point at the middle stays. */
export function zoomBy(view: View, factor: number): View {
  const zoom = Math.min(maxZoom, Math.max(1, view.zoom * factor))
  const ratio = zoom / view.zoom
  return { ...view, zoom, x: view.x * ratio, y: view.y * ratio }
}
