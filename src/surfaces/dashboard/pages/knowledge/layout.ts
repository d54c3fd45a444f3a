export interface GraphNode {
  readonly id: string
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
}

export interface Point {
  x: number
  y: number
}

const steps = 160
const width = 1000
const height = 620

/** Places nodes so that linked ones are near: repulsion, springs and a pull to the centre. */
export function layOut(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): Map<string, Point> {
  const points = nodes.map((_, index) => startingPoint(index, nodes.length))
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]))
  const links = edges.flatMap(({ from, to }) => {
    const a = points[indexOf.get(from) ?? -1]
    const b = points[indexOf.get(to) ?? -1]
    return a && b ? [[a, b] as const] : []
  })
  const ideal = Math.min(maxIdeal, Math.sqrt((width * height) / Math.max(1, nodes.length)) * 0.6)
  for (let step = 0; step < steps; step++) {
    const reach = (1 - step / steps) * 26
    const forces = points.map(() => ({ x: 0, y: 0 }))
    repel(points, forces, ideal)
    for (const [a, b] of links) attract(a, b, forces, points, ideal)
    for (const [index, point] of points.entries()) move(point, forces[index], reach)
  }
  return new Map(nodes.map(({ id }, index) => [id, points[index] ?? { x: 0, y: 0 }]))
}

/** A spiral, so that equal inputs give equal pictures. */
function startingPoint(index: number, count: number): Point {
  const angle = index * 2.399963
  const radius = Math.sqrt((index + 0.5) / count)
  return {
    x: width / 2 + Math.cos(angle) * radius * width * 0.42,
    y: height / 2 + Math.sin(angle) * radius * height * 0.42,
  }
}

function repel(points: readonly Point[], forces: readonly Point[], ideal: number): void {
  for (const [index, a] of points.entries())
    for (let other = index + 1; other < points.length; other++) {
      const b = points[other]
      if (b) push(a, b, forces[index], forces[other], ideal)
    }
}

function push(a: Point, b: Point, onA: Point | undefined, onB: Point | undefined, ideal: number) {
  const dx = a.x - b.x
  const dy = a.y - b.y
  const distance = Math.max(1, dx * dx + dy * dy)
  const force = (ideal * ideal) / distance
  if (onA) Object.assign(onA, { x: onA.x + dx * force, y: onA.y + dy * force })
  if (onB) Object.assign(onB, { x: onB.x - dx * force, y: onB.y - dy * force })
}

function attract(
  a: Point,
  b: Point,
  forces: readonly Point[],
  points: readonly Point[],
  ideal: number,
): void {
  const onA = forces[points.indexOf(a)]
  const onB = forces[points.indexOf(b)]
  const dx = b.x - a.x
  const dy = b.y - a.y
  const force = Math.hypot(dx, dy) / ideal
  if (onA) Object.assign(onA, { x: onA.x + dx * force, y: onA.y + dy * force })
  if (onB) Object.assign(onB, { x: onB.x - dx * force, y: onB.y - dy * force })
}

const margin = 50
const maxIdeal = 130
const pull = 0.25

function move(point: Point, force: Point | undefined, reach: number): void {
  const x = (force?.x ?? 0) + (width / 2 - point.x) * pull
  const y = (force?.y ?? 0) + (height / 2 - point.y) * pull
  const scale = Math.min(reach, Math.hypot(x, y)) / Math.max(1, Math.hypot(x, y))
  point.x = Math.min(width - margin, Math.max(margin, point.x + x * scale))
  point.y = Math.min(height - margin, Math.max(margin, point.y + y * scale))
}
