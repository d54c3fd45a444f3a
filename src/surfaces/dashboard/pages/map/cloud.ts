import type { MapPoint } from '../../queries/running.ts'

const axes = ['x', 'y', 'z'] as const

/** The positions of the points, scaled to -1 … 1 on each axis. */
export function toPositions(nodes: readonly MapPoint[]): Float32Array<ArrayBuffer> {
  const positions = new Float32Array(nodes.length * axes.length)
  for (const [offset, axis] of axes.entries()) {
    const { middle, half } = findRange(nodes, axis)
    for (const [index, node] of nodes.entries())
      positions[index * axes.length + offset] = ((node[axis] ?? 0) - middle) / half
  }
  return positions
}

function findRange(nodes: readonly MapPoint[], axis: (typeof axes)[number]) {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const { [axis]: value = 0 } of nodes) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return { middle: (min + max) / 2, half: Math.max(1e-9, (max - min) / 2) }
}

export const colourings = ['type', 'who', 'time'] as const
export type Colouring = (typeof colourings)[number]

/** The groups that a colour shows, and the group of each point. */
export interface Grouping {
  readonly names: readonly string[]
  readonly groups: Uint8Array
}

/** One colour is for all smaller groups. */
const maxGroups = 6
export const otherGroup = 'other'
export const ages = ['day', 'week', 'month', 'older'] as const
const ageDays = [1, 7, 31]
const dayMs = 86_400_000

/** The largest groups by type or speaker, or the age. */
export function groupPoints(
  nodes: readonly MapPoint[],
  colouring: Colouring,
  now: number,
): Grouping {
  if (colouring === 'time') {
    const groups = nodes.map(({ createdAt }) => findAge((now - Date.parse(createdAt)) / dayMs))
    return { names: ages, groups: Uint8Array.from(groups) }
  }
  const sizes = new Map<string, number>()
  for (const { [colouring]: name } of nodes) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  const bySize = [...sizes].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  const largest = bySize.slice(0, bySize.length > maxGroups ? maxGroups - 1 : maxGroups)
  const places = new Map(largest.map((name, index) => [name, index]))
  const groups = nodes.map(({ [colouring]: name }) => places.get(name) ?? largest.length)
  const names = bySize.length > maxGroups ? [...largest, otherGroup] : largest
  return { names, groups: Uint8Array.from(groups) }
}

function findAge(days: number): number {
  const index = ageDays.findIndex((limit) => days < limit)
  return index === -1 ? ageDays.length : index
}
