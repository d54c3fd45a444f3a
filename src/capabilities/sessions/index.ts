import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { analyticsRoutes } from './analytics.ts'
import { continuitySettings, sessionsSettings } from './config.ts'
import {
  type CheckpointRequest,
  checkpoint,
  recordActivity,
  type WindowOwner,
} from './continuity.ts'
import {
  type EndRequest,
  endSession,
  type FinishRequest,
  finishSession,
  sweepSessions,
  wasEndedByHarness,
} from './end.ts'
import { type EnterRequest, enterSession } from './enter.ts'
import { assertInScope, findSession, listActive, listSessions, sessionsHealth } from './list.ts'
import { sessionsMigrations } from './migrations.ts'
import type { SessionsNeeds } from './needs.ts'
import {
  endPresence,
  findPeers,
  listPresence,
  type PeersRequest,
  type PresenceInput,
  type PresenceRequest,
  recordPresence,
  type SessionActor,
  touchPresence,
} from './presence.ts'
import { sessionsRoutes } from './routes.ts'
import { lifetimeOf, type SessionId } from './session.ts'
import { hasStarted, recordStart, type Start } from './starts.ts'
import { hasBypassMark } from './store/bypasses.ts'
import { type IdlePage, listHarnessesSeen, listIdle } from './store/presence.ts'
import { agentRemoval } from './store/rows.ts'

import { countEnds, findLastEnd } from './store/scores.ts'
import { deleteStarts, findWindow, hasStartedAfter } from './store/windows.ts'

import type { Activity } from './window.ts'

export { type ContinuityConfig, continuitySettings, sessionsSettings } from './config.ts'
export { presenceChanged, sessionEnded, sessionStarted, sessionTurnEnded } from './events.ts'
export {
  hashSession,
  type Presence,
  type RuntimePath,
  runtimePaths,
  type SessionId,
  toBareKey,
} from './session.ts'
export type { IdlePage } from './store/presence.ts'
export const sessionsModule = {
  name: 'sessions',
  settings: [sessionsSettings, continuitySettings],
  migrations: sessionsMigrations,
} as const
export type SessionsCapability = ReturnType<typeof createSessions>

/** The claim of a session: its beginning and its end. */
export type SessionClaims = Pick<
  SessionsCapability,
  'enter' | 'end' | 'finish' | 'find' | 'assertInScope'
>

/** Which sessions are active, also without a claim. */
export type SessionPresence = Pick<
  SessionsCapability,
  'recordPresence' | 'touchPresence' | 'endPresence' | 'peers'
>

/** The window of a session and its checkpoints. */
export type SessionWindows = Pick<
  SessionsCapability,
  'recordActivity' | 'checkpoint' | 'findWindow'
>

export type SessionStarts = Pick<
  SessionsCapability,
  'hasStarted' | 'recordStart' | 'hasStartedAfter' | 'deleteStarts'
>

export type SessionEnds = Pick<
  SessionsCapability,
  'findLastEnd' | 'countEnds' | 'wasEndedByHarness'
>

export function createSessions(needs: SessionsNeeds) {
  return {
    routes: [...sessionsRoutes(needs), ...analyticsRoutes(needs)],
    /** Throws for a session outside the project of the caller's token. */
    assertInScope: (caller: Caller, sessionKey: string) => assertInScope(needs, caller, sessionKey),
    enter: (entering: EnterRequest) => enterSession(needs, entering),
    recordPresence: (input: PresenceInput) => recordPresence(needs, input),
    touchPresence: (db: Db, actor: SessionActor) => touchPresence({ ...needs, db }, actor),
    /** For presences without a session key, which never end by themselves. */
    endPresence: (actor: SessionActor) => endPresence(needs, actor),
    find: (id: SessionId) => findSession(needs, id),
    /** Bypassed now, or until its end: its texts are no evidence. */
    wasBypassed: hasBypassMark,
    list: (caller: Parameters<typeof listSessions>[1]) => listSessions(needs, caller),
    /** The agents, of all or of the given ones, that have an active session of this key. */
    listActive: (sessionKey: string, agentIds: readonly string[] | undefined) =>
      listActive(needs, sessionKey, agentIds),
    listPresence: (caller: Caller, request: PresenceRequest) =>
      listPresence(needs, caller, request),
    peers: (request: PeersRequest) => findPeers(needs, request),
    end: (ending: EndRequest, finish: (db: Db) => Promise<void>) =>
      endSession(needs, ending, finish),
    /** Runs in the transaction of an end or of a cleared conversation. */
    finish: (db: Db, finishing: FinishRequest) => finishSession(needs, db, finishing),
    recordActivity: (db: Db, noting: WindowOwner, added: Activity) =>
      recordActivity({ ...needs, db }, noting, added),
    checkpoint: (db: Db, closing: CheckpointRequest & { readonly id: SessionId }) =>
      checkpoint(needs, db, closing),
    findWindow,
    hasStarted: (start: Start) => hasStarted(needs, start),
    recordStart: (db: Db, started: Parameters<typeof recordStart>[2]) =>
      recordStart(needs, db, started),
    hasStartedAfter: hasStartedAfter,
    /** The next start of the session gets the full context. */
    deleteStarts: deleteStarts,
    findLastEnd,
    wasEndedByHarness,
    /** Agents without a live session whose last session ended before `endedBefore`. */
    listIdle: (db: Db, page: IdlePage) => listIdle(db, { ...page, ...lifetimeOf(needs) }),
    countEnds,
    harnessesSeen: () => listHarnessesSeen(needs.db),
    sweep: () => sweepSessions(needs),
    schedules: [
      {
        name: 'sessions.sweep',
        everyMs: needs.config().sweepIntervalMs,
        run: () => sweepSessions(needs),
      },
    ],
    health: sessionsHealth(needs),
    agentRemoval: agentRemoval,
  }
}
