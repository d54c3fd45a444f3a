import { UMAP } from 'umap-js'

export interface ProjectionTask {
  /** One row after another. */
  readonly values: Float32Array
  readonly width: number
  /** 2 or 3. */
  readonly dimensions: number
}

export interface ProjectionAnswer {
  /** Within ±210 on each axis. */
  readonly points: readonly (readonly number[])[]
  /** Pairs of rows that lie beside each other. */
  readonly edges: readonly (readonly [number, number])[]
}

const reach = 210
const neighbours = 15
/** With fewer there is nothing to lay out. */
const fewest = 6
const linked = 4
/** Up to so many rows each is compared with each; beyond, with those that lie near it on one axis. */
const comparedAtMost = 450
const window = 32

/** What a thread is asked to do; the same rows are always laid out in the same way. */
export function project({ values, width, dimensions }: ProjectionTask): ProjectionAnswer {
  const rows = Array.from({ length: values.length / width }, (_, at) =>
    Array.from(values.subarray(at * width, (at + 1) * width)),
  )
  const points = scale(layOut(rows, dimensions), dimensions)
  return { points, edges: link(points) }
}

function layOut(rows: number[][], dimensions: number): number[][] {
  if (rows.length < fewest) return rows.map((row) => row.slice(0, dimensions))
  const nNeighbors = Math.min(neighbours, rows.length - 1)
  const umap = new UMAP({ nComponents: dimensions, nNeighbors, random: createChance() })
  return umap.fit(rows)
}

/** A linear congruence: the same numbers in every run. */
function createChance(): () => number {
  let last = 1
  return () => {
    last = (last * 48_271) % 2_147_483_647
    return last / 2_147_483_647
  }
}

function scale(points: readonly number[][], dimensions: number): number[][] {
  const axes = Array.from({ length: dimensions }, (_, axis) => {
    const values = points.map((point) => point[axis] ?? 0)
    const least = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
    const most = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
    return { least, span: most - least }
  })
  return points.map((point) =>
    axes.map(({ least, span }, axis) => {
      const share = span > 0 ? ((point[axis] ?? 0) - least) / span : 0.5
      return Math.round((share * 2 - 1) * reach * 100) / 100
    }),
  )
}

function link(points: readonly (readonly number[])[]): (readonly [number, number])[] {
  const candidatesOf = createCandidates(points)
  const edges = new Map<string, readonly [number, number]>()
  for (const [at, point] of points.entries()) {
    const nearest = candidatesOf(at)
      .filter((other) => other !== at)
      .map((other) => ({ other, far: distance(point, points[other] ?? []) }))
      .toSorted((one, two) => one.far - two.far)
    for (const { other } of nearest.slice(0, linked)) {
      const edge = [Math.min(at, other), Math.max(at, other)] as const
      edges.set(edge.join(), edge)
    }
  }
  return [...edges.values()]
}

function createCandidates(points: readonly (readonly number[])[]): (at: number) => number[] {
  const all = points.map((_, at) => at)
  if (points.length <= comparedAtMost) return () => all
  const axes = [0, 1].map((axis) => {
    const order = all.toSorted((a, b) => (points[a]?.[axis] ?? 0) - (points[b]?.[axis] ?? 0))
    const ranks: number[] = []
    for (const [rank, at] of order.entries()) ranks[at] = rank
    return { order, ranks }
  })
  return (at) => {
    const near = axes.flatMap(({ order, ranks }) => {
      const rank = ranks[at] ?? 0
      return order.slice(Math.max(0, rank - window), rank + window + 1)
    })
    return [...new Set(near)]
  }
}

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, axis) => sum + (value - (other[axis] ?? 0)) ** 2, 0)
}
