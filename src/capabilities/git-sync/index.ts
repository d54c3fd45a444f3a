import { toDomainCheck } from '../../kernel/capability/domain.ts'
import { createBackground } from './background.ts'
import { gitSettings } from './config.ts'
import { createGitService } from './git-operations.ts'
import { gitHealth } from './health.ts'
import type { GitSyncNeeds } from './needs.ts'
import { gitRoutes } from './routes.ts'

export { gitSettings } from './config.ts'

export const gitSyncModule = { name: 'git-sync', settings: [gitSettings] } as const

export function createGitSync(needs: GitSyncNeeds) {
  const service = createGitService(needs)
  const background = createBackground(needs, service)
  const health = gitHealth(needs, service)
  return {
    routes: gitRoutes(service),
    health,
    diagnostics: [toDomainCheck(health, 'reverie git status')],
    workers: [background.worker],
    /** Failed operations since the start. */
    countFailures: () => service.state.totalFailures,
    start: async (): Promise<void> => {
      service.recover().catch((err: unknown) => {
        needs.log.error({ err }, 'recovery of a git pull failed')
      })
      background.start()
    },
    stop: async (): Promise<void> => {
      await background.stop()
      await service.stop()
    },
  }
}
