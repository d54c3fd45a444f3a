import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { analyticsRoutes } from './analytics-routes.ts'
import { assertInScope } from './assert-in-scope.ts'
import { continuitySettings, sessionsSettings } from './config.ts'
import { type Closing, checkpoint, type Noting, note } from './continuity.ts'
import { sessionsDeparture } from './departure.ts'
import { type Ending, endSession } from './end.ts'
import { type Entering, enterSession } from './enter.ts'
import { type Finishing, finishSession } from './finish.ts'
import { sessionsHealth } from './health.ts'
import { lifetimeOf } from './lifetime.ts'
import { findSession, listSessions } from './list.ts'
import { sessionsMigrations } from './migrations.ts'
import type { SessionsNeeds } from './needs.ts'
import {
  findPeers,
  forgetPresence,
  notePresence,
  type PeersRequest,
  type Seen,
  type Speaking,
  staySeen,
} from './presence.ts'
import { sessionsRoutes } from './routes.ts'
import type { SessionId } from './session.ts'
import { noteStart, type Start, wasStarted } from './starts.ts'
import { listHarnessesSeen } from './store/harnesses.ts'
import { type IdlePage, listIdle } from './store/idle.ts'
import { countEnds, findLastEnd } from './store/scores.ts'
import { deleteStarts, wasStartedAfter } from './store/starts.ts'
import { findWindow } from './store/windows.ts'
import { sweepSessions } from './sweep.ts'
import type { Note } from './window.ts'

export { type ContinuityConfig, continuitySettings, sessionsSettings } from './config.ts'
export { sessionEnded, sessionStarted, sessionTurned } from './events.ts'
export {
  hashSession,
  type Presence,
  type RuntimePath,
  runtimePaths,
  type SessionId,
  toBareKey,
} from './session.ts'
export type { IdlePage } from './store/idle.ts'
export const sessionsModule = {
  name: 'sessions',
  settings: [sessionsSettings, continuitySettings],
  migrations: sessionsMigrations,
} as const
export type SessionsCapability = ReturnType<typeof createSessions>

export function createSessions(needs: SessionsNeeds) {
  return {
    routes: [...sessionsRoutes(needs), ...analyticsRoutes(needs)],
    /** Refuses a session outside the project of the caller's token. */
    assertInScope: (caller: Caller, sessionKey: string) => assertInScope(needs, caller, sessionKey),
    enter: (entering: Entering) => enterSession(needs, entering),
    see: (seen: Seen) => notePresence(needs, seen),
    staySeen: (db: Db, seen: Speaking) => staySeen({ ...needs, db }, seen),
    /** For what has no key, and so no end of its own. */
    forgetPresence: (gone: Speaking) => forgetPresence(needs, gone),
    find: (id: SessionId) => findSession(needs, id),
    list: (caller: Parameters<typeof listSessions>[1]) => listSessions(needs, caller),
    peers: (request: PeersRequest) => findPeers(needs, request),
    end: (ending: Ending, finish: (db: Db) => Promise<void>) => endSession(needs, ending, finish),
    /** Part of an end, or of the beginning of a conversation under the same key. */
    finish: (db: Db, finishing: Finishing) => finishSession(needs, db, finishing),
    note: (db: Db, noting: Noting, added: Note) => note({ ...needs, db }, noting, added),
    checkpoint: (db: Db, closing: Closing & { readonly id: SessionId }) =>
      checkpoint(needs, db, closing),
    findWindow,
    wasStarted: (start: Start) => wasStarted(needs, start),
    noteStart: (db: Db, started: Parameters<typeof noteStart>[2]) => noteStart(needs, db, started),
    wasStartedAfter,
    /** Its next beginning is told in full. */
    forgetStarts: deleteStarts,
    findLastEnd,
    /** Agents whose last session ended so long ago, and none runs. */
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
    agentRemoval: sessionsDeparture,
  }
}
