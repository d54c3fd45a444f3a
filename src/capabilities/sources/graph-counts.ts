import type { Host } from '../../kernel/host/host.ts'
import type { SourceGraph } from '../knowledge/index.ts'
import type { SourcesOptions } from './needs.ts'
import { isActive } from './runs/job.ts'
import type { RunScheduler } from './runs/scheduler.ts'
import { ownerOf, type SourceEntry } from './source.ts'

type Counts = Awaited<ReturnType<SourceGraph['countRows']>>

interface CountNeeds extends Pick<SourcesOptions, 'db' | 'graph'> {
  readonly host: Pick<Host, 'now'>
  readonly scheduler: Pick<RunScheduler, 'find'>
}

type CountedSource = Pick<SourceEntry, 'id' | 'providerSettings'>

const maxAgeMs = 5_000

/**
 * Counts the rows of a source in the graph. A count reads all of them, and clients that follow a run ask
 * several times a second, so counts of an active run may be some seconds old.
 */
export function createGraphCounts({ db, graph, host, scheduler }: CountNeeds) {
  const recent = new Map<string, { readonly at: number; readonly counts: Promise<Counts> }>()
  return (source: CountedSource): Promise<Counts> => {
    const job = scheduler.find(source.id)
    const at = host.now().getTime()
    const before = recent.get(source.id)
    if (job && isActive(job) && before && at - before.at < maxAgeMs) return before.counts
    const counts = graph.countRows(db, ownerOf(source), source.id)
    recent.delete(source.id)
    if (!job || !isActive(job)) return counts
    recent.set(source.id, { at, counts })
    counts.catch(() => recent.delete(source.id))
    return counts
  }
}
