import { agentRemoval, removalJob } from './agent-removal.ts'
import { cleanMemoryFiles } from './clean-files.ts'
import { synthesisSettings } from './config.ts'
import { readMemoryFile } from './memory-file.ts'
import { synthesisMigrations } from './migrations.ts'
import type { SynthesisOptions } from './needs.ts'
import { listRecentWork } from './recent-work.ts'
import { synthesisRoutes } from './routes.ts'
import { enqueueIdleAgents, requestRefresh, synthesisJob } from './write.ts'

export { synthesisSettings } from './config.ts'
export { memoryFilePath } from './memory-file.ts'
export type { RecentWork } from './recent-work.ts'
export const synthesisModule = {
  name: 'synthesis',
  settings: [synthesisSettings],
  migrations: synthesisMigrations,
} as const
export type SynthesisCapability = ReturnType<typeof createSynthesis>

export function createSynthesis(options: SynthesisOptions) {
  return {
    routes: synthesisRoutes(options),
    /** The content of `MEMORY.md` without its mark. Empty for a missing file. */
    readMemoryFile: (agentId: string) => readMemoryFile(options.folder, agentId),
    listRecentWork: (request: Parameters<typeof listRecentWork>[1]) =>
      listRecentWork(options, request),
    /** Enqueues a write that ignores the minimum interval. */
    requestRefresh: (agentId: string) => requestRefresh(options, agentId),
    jobs: [synthesisJob(options), removalJob(options)],
    upgradeTasks: [cleanMemoryFiles(options)],
    schedules: [
      {
        name: 'synthesis.idle-agents',
        everyMs: 60_000,
        run: () => enqueueIdleAgents(options),
      },
    ],
    agentRemoval: agentRemoval(options),
  }
}
