import { UMAP } from 'umap-js'

export interface ProjectionTask {
  /** Row-major matrix. */
  readonly values: Float32Array
  readonly width: number
  /** 2 or 3. */
  readonly dimensions: number
}

export interface ProjectionResult {
  /** Within ±210 on each axis. */
  readonly points: readonly (readonly number[])[]
  /** Pairs of neighbouring rows. */
  readonly edges: readonly (readonly [number, number])[]
}

const axisLimit = 210
const neighbourCount = 15
/** Fewer rows are not laid out. */
const minRows = 6
const edgesPerNode = 4
/** Up to this size all pairs are compared; above it only rows that are close on one axis. */
const maxExhaustiveRows = 450
const window = 32

/** Task of the worker thread. Deterministic. */
export function project({ values, width, dimensions }: ProjectionTask): ProjectionResult {
  const rows = Array.from({ length: values.length / width }, (_, index) =>
    Array.from(values.subarray(index * width, (index + 1) * width)),
  )
  const points = scale(computeLayout(rows, dimensions), dimensions)
  return { points, edges: link(points) }
}

function computeLayout(rows: number[][], dimensions: number): number[][] {
  if (rows.length < minRows) return rows.map((row) => row.slice(0, dimensions))
  const nNeighbors = Math.min(neighbourCount, rows.length - 1)
  const umap = new UMAP({ nComponents: dimensions, nNeighbors, random: createRandom() })
  return umap.fit(rows)
}

/** Linear congruential generator with a fixed seed. */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function scale(points: readonly number[][], dimensions: number): number[][] {
  const axes = Array.from({ length: dimensions }, (_, axis) => {
    const values = points.map((point) => point[axis] ?? 0)
    const min = values.reduce((a, other) => Math.min(a, other), Number.POSITIVE_INFINITY)
    const max = values.reduce((a, other) => Math.max(a, other), Number.NEGATIVE_INFINITY)
    return { min, span: max - min }
  })
  return points.map((point) =>
    axes.map(({ min, span }, axis) => {
      const share = span > 0 ? ((point[axis] ?? 0) - min) / span : 0.5
      return Math.round((share * 2 - 1) * axisLimit * 100) / 100
    }),
  )
}

function link(points: readonly (readonly number[])[]): (readonly [number, number])[] {
  const candidatesOf = createCandidates(points)
  const edges = new Map<string, readonly [number, number]>()
  for (const [index, point] of points.entries()) {
    const nearest = candidatesOf(index)
      .filter((other) => other !== index)
      .map((other) => ({ other, gap: distance(point, points[other] ?? []) }))
      .toSorted((a, b) => a.gap - b.gap)
    for (const { other } of nearest.slice(0, edgesPerNode)) {
      const edge = [Math.min(index, other), Math.max(index, other)] as const
      edges.set(edge.join(), edge)
    }
  }
  return [...edges.values()]
}

function createCandidates(points: readonly (readonly number[])[]): (index: number) => number[] {
  const all = points.map((_, index) => index)
  if (points.length <= maxExhaustiveRows) return () => all
  const axes = [0, 1].map((axis) => {
    const order = all.toSorted((a, b) => (points[a]?.[axis] ?? 0) - (points[b]?.[axis] ?? 0))
    const ranks: number[] = []
    for (const [rank, index] of order.entries()) ranks[index] = rank
    return { order, ranks }
  })
  return (index) => {
    const candidates = axes.flatMap(({ order, ranks }) => {
      const rank = ranks[index] ?? 0
      return order.slice(Math.max(0, rank - window), rank + window + 1)
    })
    return [...new Set(candidates)]
  }
}

function distance(a: readonly number[], other: readonly number[]): number {
  return a.reduce((sum, value, axis) => sum + (value - (other[axis] ?? 0)) ** 2, 0)
}
