import { createHash } from 'node:crypto'
export const runtimePaths = ['plugin', 'legacy'] as const
/** The two ways in which a harness can speak for a session. */
export type RuntimePath = (typeof runtimePaths)[number]

/** The same key under two agents is two sessions. */
export interface SessionId {
  readonly agentId: string
  /** Bare: see `toBareKey`. */
  readonly sessionKey: string
}

/** Who speaks for a session, and until when; ended, it is a tombstone. Times are ISO. */
export interface Claim extends SessionId {
  readonly state: 'active' | 'ended'
  /** Null for a session that nobody claimed before it ended. */
  readonly runtimePath: RuntimePath | null
  readonly harness: string | null
  readonly project: string | null
  readonly claimedAt: string
  readonly expiresAt: string
  readonly endedAt: string | null
  /** Who ended it: a runtime path, a harness, or the reason for which it was closed. */
  readonly endMarker: string | null
  /** Whether it was told that the claim is about to expire. */
  readonly warned: boolean
}

/** That a session was heard of, whoever speaks for it. Times are ISO. */
export interface Presence {
  /** `session:<key>`, or made of agent, harness and project where there is no session key. */
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

/** How long the end of a session is remembered, so that a second end is told apart from a first. */
export const tombstoneMs = 30 * 60_000
/** A claim with less than this left is told so, once. */
export const warningMs = 30 * 60_000

/** Undefined when nothing is left of it. */
export function toBareKey(written: string | null | undefined): string | undefined {
  return (
    written
      ?.trim()
      .replace(/^session:/, '')
      .trim() || undefined
  )
}

export function toPresenceKey(said: {
  readonly sessionKey: string | null
  readonly agentId: string
  readonly harness: string
  readonly project: string | null
}): string {
  const { sessionKey, agentId, harness, project } = said
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

/** Stands for the key in events. Null where the harness has no key. */
export function hashSession(sessionKey: string | undefined): string | null {
  if (sessionKey === undefined) return null
  return createHash('sha256').update(sessionKey).digest('hex').slice(0, 16)
}
