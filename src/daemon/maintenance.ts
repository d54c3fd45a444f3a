import type { Database } from '../kernel/db/database.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface Swept {
  sweep(): Promise<unknown>
}

interface Recurring {
  readonly name: string
  readonly everyMs: number
  run(): Promise<unknown>
}

interface Maintained {
  readonly database: Pick<Database, 'maintain'>
  readonly jobs: Swept
  readonly memory: Swept
  readonly recall: Swept
  readonly engine: { changed(): void }
  readonly workspace: Swept
  readonly telemetry: Swept
  readonly transcripts: Swept & { catchUp(): Promise<void> }
  readonly embeddings: { catchUp(signal?: AbortSignal): Promise<void> }
  readonly conversations: { readonly maintenance: readonly Recurring[] }
  readonly embeddingPollMs: number
}

/** What recurs while the service runs. */
export function listMaintenance(parts: Maintained) {
  const { database, jobs, memory, recall, engine, transcripts, embeddings } = parts
  return [
    { name: 'database.maintain', everyMs: minuteMs, run: () => database.maintain() },
    { name: 'jobs.sweep', everyMs: 6 * hourMs, run: () => jobs.sweep() },
    { name: 'memory.sweep', everyMs: 6 * hourMs, run: () => memory.sweep() },
    { name: 'recall.sweep', everyMs: 6 * hourMs, run: () => recall.sweep() },
    { name: 'transcripts.catch-up', everyMs: 10_000, run: () => transcripts.catchUp() },
    { name: 'transcripts.sweep', everyMs: 6 * hourMs, run: () => transcripts.sweep() },
    { name: 'workspace.sweep', everyMs: hourMs, run: () => parts.workspace.sweep() },
    { name: 'telemetry.sweep', everyMs: hourMs, run: () => parts.telemetry.sweep() },
    { name: 'embeddings.catch-up', everyMs: parts.embeddingPollMs, run: embeddings.catchUp },
    // Of what is purged, and of vectors that go with their model, nobody tells.
    { name: 'search.catch-up', everyMs: minuteMs, run: async () => engine.changed() },
    ...parts.conversations.maintenance,
  ]
}
