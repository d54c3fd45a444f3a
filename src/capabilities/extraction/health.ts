import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { Host } from '../../kernel/host/host.ts'

interface HealthNeeds {
  readonly host: Pick<Host, 'now'>
  readonly restarts: () => readonly { readonly at: number; readonly reason: string }[]
}

const hourMs = 3_600_000
/** One hostile file is no problem of the service. */
const maxRestarts = 10

export function extractionHealth({ host, restarts }: HealthNeeds): HealthCheck {
  return {
    name: 'extraction',
    check: async () => {
      const since = host.now().getTime() - hourMs
      const recent = restarts().filter(({ at }) => at > since)
      return toHealth(
        [
          recent.length > maxRestarts &&
            `the converter process ended ${recent.length} times in the last hour`,
        ],
        { restarts: recent.length, lastReason: recent.at(-1)?.reason ?? null },
      )
    },
  }
}
