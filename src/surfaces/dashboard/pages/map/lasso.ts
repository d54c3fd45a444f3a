export interface Point {
  readonly x: number
  readonly y: number
}

/** A press near a point chooses it. */
const reach = 12

/** Whether the point is inside the drawn line, which is closed, or near a press without a line. */
export function isChosen({ x, y }: Point, lasso: readonly Point[]): boolean {
  const [first] = lasso
  if (first && lasso.length < 3) return Math.hypot(first.x - x, first.y - y) <= reach
  let isInside = false
  for (const [index, a] of lasso.entries()) {
    const b = lasso.at(index - 1) ?? a
    const isCrossing = a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x
    if (isCrossing) isInside = !isInside
  }
  return isInside
}
