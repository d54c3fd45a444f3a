import type { Host } from '../../kernel/host/host.ts'
import type { listCandidates } from './store/duplicates.ts'

type Candidate = Awaited<ReturnType<typeof listCandidates>>[number]

interface Similarity {
  /** Unit vectors by memory id. */
  readonly byId: ReadonlyMap<string, Float32Array>
  readonly semanticThreshold: number
}

/** Comparisons after which other work of the daemon runs. */
const rowsPerTurn = 20

/**
 * Groups memories of one agent, project and namespace whose vectors are similar. Each group begins
 * with the memory to keep: global, important, new.
 */
export async function groupSimilar(
  host: Pick<Host, 'sleep'>,
  candidates: readonly Candidate[],
  { byId, semanticThreshold }: Similarity,
): Promise<Candidate[][]> {
  const open = new Set(candidates.filter(({ id }) => byId.has(id)).toSorted(compareSurvivors))
  const groups: Candidate[][] = []
  let row = 0
  for (const survivor of open) {
    open.delete(survivor)
    const similar = [...open].filter(
      (other) =>
        hasSameReaders(survivor, other) && cosine(byId, survivor.id, other.id) >= semanticThreshold,
    )
    for (const other of similar) open.delete(other)
    if (similar.length > 0) groups.push([survivor, ...similar])
    row += 1
    if (row % rowsPerTurn === 0) await host.sleep(0)
  }
  return groups
}

function compareSurvivors(one: Candidate, other: Candidate): number {
  const rank = ({ visibility }: Candidate) => (visibility === 'global' ? 0 : 1)
  return (
    rank(one) - rank(other) ||
    other.importance - one.importance ||
    (one.createdAt < other.createdAt ? 1 : -1)
  )
}

function hasSameReaders(one: Candidate, other: Candidate): boolean {
  return one.agentId === other.agentId && one.project === other.project && one.scope === other.scope
}

function cosine(byId: Similarity['byId'], one: string, other: string): number {
  const [left, right] = [byId.get(one), byId.get(other)]
  if (!left || !right || left.length !== right.length) return 0
  let sum = 0
  for (let index = 0; index < left.length; index++) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}
