import type { Caller } from '../../kernel/auth/caller.ts'

const maxSamples = 1_000
const kinds = ['remember', 'recall', 'mutate', 'jobs'] as const
type TimedKind = (typeof kinds)[number]

interface Sample {
  readonly agentId: string
  readonly ms: number
}

/** The last durations of each kind. */
export function createLatency() {
  const rings = new Map(kinds.map((kind) => [kind, { samples: [] as Sample[], next: 0 }]))
  return {
    add: (kind: TimedKind, agentId: string, ms: number): void => {
      const ring = rings.get(kind)
      if (!ring) return
      ring.samples[ring.next] = { agentId, ms }
      ring.next = (ring.next + 1) % maxSamples
    },
    /** What a caller with this scope may see. */
    read: ({ agent, project }: Caller['scope']) => {
      const read = (kind: TimedKind) => {
        const samples = project === undefined ? (rings.get(kind)?.samples ?? []) : []
        return summarize(samples.filter(({ agentId }) => agent === undefined || agent === agentId))
      }
      return {
        remember: read('remember'),
        recall: read('recall'),
        mutate: read('mutate'),
        jobs: read('jobs'),
      }
    },
  }
}

function summarize(samples: readonly Sample[]) {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? 0)
  const sum = sorted.reduce((total, ms) => total + ms, 0)
  const count = sorted.length
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count, mean: round(sum / (count || 1)) }
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
