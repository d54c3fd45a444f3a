export interface GraphNode {
  readonly id: string
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
}

export interface Point {
  readonly x: number
  readonly y: number
}

const width = 1000
const height = 620
/** A part of the plane, by its middle and its size. */
export interface Frame extends Point {
  readonly width: number
  readonly height: number
}

const minFrameWidth = 320
const steps = 160
const margin = 50
const maxIdeal = 130
const pull = 0.25

/** Coordinates and forces of all nodes, without an object for each. */
interface Forces {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly dx: Float64Array
  readonly dy: Float64Array
}

/** Places nodes so that linked ones are near: repulsion, springs and a pull to the centre. */
export function layOut(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): ReadonlyMap<string, Point> {
  const count = nodes.length
  const numbers = () => new Float64Array(count)
  const forces: Forces = { count, x: numbers(), y: numbers(), dx: numbers(), dy: numbers() }
  for (const index of nodes.keys()) placeOnSpiral(forces, index)
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]))
  const links = edges.flatMap(({ from, to }) => {
    const [a, b] = [indexOf.get(from), indexOf.get(to)]
    return a === undefined || b === undefined ? [] : [[a, b] as const]
  })
  const ideal = Math.min(maxIdeal, Math.sqrt((width * height) / Math.max(1, count)) * 0.6)
  for (let step = 0; step < steps; step++) {
    repel(forces, ideal * ideal)
    for (const [a, b] of links) attract(forces, [a, b], ideal)
    move(forces, (1 - step / steps) * 26)
  }
  return new Map(
    nodes.map(({ id }, index) => [id, { x: at(forces.x, index), y: at(forces.y, index) }]),
  )
}

/** The part of the plane that holds all points, with room for their labels. */
export function toFrame(points: Iterable<Point>): Frame {
  const all = [...points]
  const [left, right] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...all.map(({ y }) => y)), Math.max(...all.map(({ y }) => y))]
  const needed = Math.max(right - left, ((bottom - top) * width) / height)
  const size = Math.max(minFrameWidth, needed + 4 * margin)
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return { x, y, width: size, height: (size * height) / width }
}

const at = (values: Float64Array, index: number) => values[index] ?? 0

function add(values: Float64Array, index: number, value: number): void {
  values[index] = at(values, index) + value
}

/** A spiral, so that equal inputs give equal pictures. */
function placeOnSpiral({ x, y, count }: Forces, index: number): void {
  const angle = index * 2.399963
  const radius = Math.sqrt((index + 0.5) / count)
  x[index] = width / 2 + Math.cos(angle) * radius * width * 0.42
  y[index] = height / 2 + Math.sin(angle) * radius * height * 0.42
}

function repel(forces: Forces, strength: number): void {
  const { count, x, y, dx, dy } = forces
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const apartX = at(x, a) - at(x, b)
      const apartY = at(y, a) - at(y, b)
      const force = strength / Math.max(1, apartX * apartX + apartY * apartY)
      add(dx, a, apartX * force)
      add(dy, a, apartY * force)
      add(dx, b, -apartX * force)
      add(dy, b, -apartY * force)
    }
}

function attract({ x, y, dx, dy }: Forces, [a, b]: readonly [number, number], ideal: number): void {
  const apartX = at(x, a) - at(x, b)
  const apartY = at(y, a) - at(y, b)
  const force = Math.hypot(apartX, apartY) / ideal
  add(dx, a, -apartX * force)
  add(dy, a, -apartY * force)
  add(dx, b, apartX * force)
  add(dy, b, apartY * force)
}

/** Moves each node by its force, at most by `reach`, and forgets the force. */
function move({ count, x, y, dx, dy }: Forces, reach: number): void {
  for (let index = 0; index < count; index++) {
    const forceX = at(dx, index) + (width / 2 - at(x, index)) * pull
    const forceY = at(dy, index) + (height / 2 - at(y, index)) * pull
    const length = Math.hypot(forceX, forceY)
    const scale = Math.min(reach, length) / Math.max(1, length)
    x[index] = Math.min(width - margin, Math.max(margin, at(x, index) + forceX * scale))
    y[index] = Math.min(height - margin, Math.max(margin, at(y, index) + forceY * scale))
  }
  dx.fill(0)
  dy.fill(0)
}
