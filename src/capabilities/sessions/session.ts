import { hash } from 'node:crypto'
import type { SessionsNeeds } from './needs.ts'

export const runtimePaths = ['plugin', 'legacy'] as const
/** The two ways in which a harness can claim a session. */
export type RuntimePath = (typeof runtimePaths)[number]

/** The same key under two agents is two sessions. */
export interface SessionId {
  readonly agentId: string
  /** Bare: see `toBareKey`. */
  readonly sessionKey: string
}

/** The runtime path of a session and its expiry. An ended claim is a tombstone. Times are ISO. */
export interface Claim extends SessionId {
  readonly state: 'active' | 'ended'
  /** Null for a session that ended without a claim. */
  readonly runtimePath: RuntimePath | null
  readonly harness: string | null
  readonly project: string | null
  readonly claimedAt: string
  readonly expiresAt: string
  readonly endedAt: string | null
  /** A runtime path, a harness or a closing reason. */
  readonly endMarker: string | null
  /** Whether the harness was warned of the expiry. */
  readonly warned: boolean
}

/** A session seen by any path. Times are ISO. */
export interface Presence {
  /** `session:<key>`; without a session key, made of agent, harness and project. */
  readonly key: string
  readonly sessionKey: string | null
  readonly agentId: string
  readonly harness: string
  readonly project: string | null
  readonly runtimePath: RuntimePath | null
  readonly provider: string | null
  readonly startedAt: string
  readonly lastSeenAt: string
}

/** A claim and a presence of the same key are one session. */
export interface Session extends SessionId {
  readonly runtimePath: RuntimePath | 'unknown'
  readonly claimedAt: string
  /** Null for a session that is only present. */
  readonly expiresAt: string | null
  readonly bypassed: boolean
  readonly harness: string | null
  readonly project: string | null
  readonly provider: string | null
}

/** A repeated end within this time is recognized. */
const tombstoneMs = 30 * 60_000
/** The harness gets one warning when less than this is left of its claim. */
export const warningMs = 30 * 60_000

/** Without the prefix `session:`. Undefined for an empty key. */
export function toBareKey(key: string | null | undefined): string | undefined {
  return (
    key
      ?.trim()
      .replace(/^session:/, '')
      .trim() || undefined
  )
}

export function toPresenceKey(input: {
  readonly sessionKey: string | null
  readonly agentId: string
  readonly harness: string
  readonly project: string | null
}): string {
  const { sessionKey, agentId, harness, project } = input
  return sessionKey === null
    ? `ephemeral:${agentId}:${harness}:${project ?? ''}`
    : `session:${sessionKey}`
}

export function isLive({ state, expiresAt }: Claim, now: Date): boolean {
  return state === 'active' && expiresAt > now.toISOString()
}

export function toSession(
  {
    claim,
    presence,
  }: { readonly claim?: Claim | undefined; readonly presence?: Presence | undefined },
  id: SessionId & { readonly bypassed: boolean },
): Session {
  return {
    agentId: id.agentId,
    sessionKey: id.sessionKey,
    bypassed: id.bypassed,
    runtimePath: claim?.runtimePath ?? presence?.runtimePath ?? 'unknown',
    claimedAt: claim?.claimedAt ?? presence?.startedAt ?? '',
    expiresAt: claim?.expiresAt ?? null,
    harness: claim?.harness ?? presence?.harness ?? null,
    project: claim?.project ?? presence?.project ?? null,
    provider: presence?.provider ?? null,
  }
}

/** Replaces the key in events. Null without a key. */
export function hashSession(sessionKey: string | undefined): string | null {
  if (sessionKey === undefined) return null
  return hash('sha256', sessionKey).slice(0, 16)
}

/** The time limits at this moment, as ISO text. */
export function lifetimeOf({ host, config }: Pick<SessionsNeeds, 'host' | 'config'>) {
  const now = host.now().getTime()
  const { claimTtlMs } = config()
  const at = (ms: number) => new Date(ms).toISOString()
  return {
    now: at(now),
    expiresAt: at(now + claimTtlMs),
    /** A presence last seen at or before this time has expired. */
    seenAfter: at(now - claimTtlMs),
    forgottenBefore: at(now - tombstoneMs),
  }
}
