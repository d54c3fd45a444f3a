import { type DomainCheck, toFindings } from '../../kernel/capability/domain.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { isUpdateAvailable } from './check/check.ts'
import type { StatefulNeeds } from './needs.ts'

const hourMs = 3_600_000
const upgrade = { command: 'reverie upgrade', route: 'POST /api/update/run' }
const restart = { command: 'reverie restart', route: null }

/** Never affects readiness. */
export function updateHealth(needs: StatefulNeeds): HealthCheck {
  return {
    name: 'update',
    check: async () => {
      const { auto_install, check_interval } = needs.config()
      const { lastAutoUpdateError, lastCheckAt, lastCheckError, releases } = needs.state.read()
      const { pending } = needs.state
      return toHealth(
        [
          pending !== null && `version ${pending} waits for a restart: reverie restart`,
          auto_install && lastAutoUpdateError !== null && lastAutoUpdateError,
        ],
        {
          currentVersion: needs.version,
          latestVersion: releases[needs.config().channel]?.version ?? null,
          updateAvailable: isUpdateAvailable(needs),
          pendingRestart: pending,
          autoInstall: auto_install,
          checkInterval: check_interval,
          lastCheckAt,
          lastError: lastCheckError ?? lastAutoUpdateError,
          timerActive: auto_install,
        },
      )
    },
  }
}

const weight = 0.1

/** Penalties of contract 3, section 5.1. */
export function updateDomain(needs: StatefulNeeds): DomainCheck {
  return {
    domain: 'update',
    weight,
    check: async () => {
      const { auto_install } = needs.config()
      const { lastAutoUpdateError, lastCheckAt, lastCheckError } = needs.state.read()
      const { pending } = needs.state
      const ageHours = toAgeHours(needs, lastCheckAt)
      const finding = (code: string, penalty: number, detail: string, fix = upgrade) => ({
        code,
        penalty,
        detail,
        fix: fix as { readonly command: string; readonly route: string | null },
      })
      return {
        fields: {
          autoInstallEnabled: auto_install,
          lastCheckSucceeded: lastCheckAt === null ? null : lastCheckError === null,
          lastCheckAgeHours: ageHours,
          pendingRestart: pending,
          lastError: lastAutoUpdateError ?? lastCheckError,
        },
        findings: toFindings([
          needs.version === '0.0.0' && finding('unknown_version', 0.5, 'the version is 0.0.0'),
          pending !== null &&
            (ageHours ?? 0) > 1 && {
              ...finding('restart_pending', 0.3, `version ${pending} waits for a restart`),
              fix: restart,
            },
          auto_install &&
            lastAutoUpdateError !== null &&
            finding('auto_update_failed', 0.4, lastAutoUpdateError),
          auto_install &&
            (ageHours ?? 0) > 24 &&
            finding('check_old', 0.2, `the last check is ${ageHours} hours old`),
          !auto_install &&
            isUpdateAvailable(needs) &&
            finding('update_available', 0.1, 'a newer version is available'),
        ]),
      }
    },
  }
}

function toAgeHours({ host }: StatefulNeeds, at: string | null): number | null {
  if (at === null) return null
  return Math.round(((host.now().getTime() - Date.parse(at)) / hourMs) * 10) / 10
}
