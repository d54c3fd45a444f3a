import type { Matrix, Size } from './camera.ts'

/** What is drawn at one moment. */
export interface Picture {
  readonly matrix: Matrix
  readonly hasDepth: boolean
  /** The group of each point. */
  readonly groups: Uint8Array
  /** How each point is drawn. */
  readonly emphasis: Uint8Array
  readonly palette: readonly string[]
  readonly size: Size
}

/** Draws one set of points, again for each picture. */
export interface Drawing {
  draw(picture: Picture): void
  dispose(): void
}

export const emphases = { hidden: 0, faint: 1, clear: 2 } as const

/** Above this number the points are small. */
const maxLargePoints = 5000

/** The diameter of a point in pixels of the page. */
export function pointSize(count: number): number {
  return count > maxLargePoints ? 3 : 9
}
