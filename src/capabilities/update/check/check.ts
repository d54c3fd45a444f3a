import { gt, major } from 'semver'
import type { z } from 'zod'
import type { StatefulNeeds } from '../needs.ts'
import type { checkReply } from '../schemas.ts'
import { explainSource, findRelease, hasSource } from './sources.ts'

type CheckReply = z.input<typeof checkReply>
export type Check = (options: { readonly force: boolean }) => Promise<CheckReply>

const cacheMs = 3_600_000
const failureCacheMs = 60_000
const noSource = 'no update source is configured'

/** Checks for a newer release, at most once an hour unless forced; concurrent checks are one. */
export function createCheck(needs: StatefulNeeds): Check {
  const { host, state } = needs
  let running: Promise<void> | undefined
  const refresh = async () => {
    const { channel } = needs.config()
    const lastCheckAt = () => host.now().toISOString()
    try {
      const release = await findRelease(needs)
      const releases = { ...state.read().releases, [channel]: release }
      await state.save({ releases, lastCheckAt: lastCheckAt(), lastCheckError: null })
    } catch (error) {
      needs.log.warn({ err: error }, 'update check failed')
      await state.save({ lastCheckAt: lastCheckAt(), lastCheckError: explainSource(error) })
    }
  }
  return async ({ force }) => {
    if (!hasSource(needs.config())) return toCheckReply(needs, { cached: false, error: noSource })
    if (!force && isFresh(needs)) return toCheckReply(needs, { cached: true })
    running ??= refresh().finally(() => {
      running = undefined
    })
    await running
    return toCheckReply(needs, { cached: false })
  }
}

/** Another channel than that of the last release counts as not checked. */
function isFresh({ config, host, state }: StatefulNeeds): boolean {
  const { lastCheckAt, lastCheckError, releases } = state.read()
  if (lastCheckAt === null) return false
  const ageMs = host.now().getTime() - Date.parse(lastCheckAt)
  if (lastCheckError !== null) return ageMs >= 0 && ageMs < failureCacheMs
  return releases[config().channel] !== undefined && ageMs >= 0 && ageMs < cacheMs
}

interface Outcome {
  readonly cached: boolean
  readonly error?: string
}

function toCheckReply(needs: StatefulNeeds, { cached, error }: Outcome): CheckReply {
  const { config, host, state, version } = needs
  const { lastCheckAt, lastCheckError, releases } = state.read()
  const release = releases[config().channel]
  const checkError = error ?? lastCheckError ?? undefined
  return {
    currentVersion: version,
    latestVersion: release?.version ?? null,
    updateAvailable: isUpdateAvailable(needs),
    releaseUrl: release?.releaseUrl ?? null,
    releaseNotes: release?.releaseNotes ?? null,
    publishedAt: release?.publishedAt ?? null,
    restartRequired: state.pending !== null,
    pendingVersion: state.pending,
    cached,
    checkedAt: (error === undefined && lastCheckAt) || host.now().toISOString(),
    ...(checkError !== undefined && { checkError }),
    ...(release && { isMajorUpgrade: isMajorUpgrade(version, release.version) }),
  }
}

/** From memory alone: health replies read it. */
export function isUpdateAvailable({
  config,
  state,
  version,
}: Pick<StatefulNeeds, 'config' | 'state' | 'version'>): boolean {
  const latest = state.read().releases[config().channel]?.version
  return latest !== undefined && latest !== state.pending && gt(latest, version)
}

export function isMajorUpgrade(from: string, to: string): boolean {
  return major(to) > major(from)
}
