import type { AgentsCapability } from '../capabilities/agents/index.ts'
import type { Self } from '../capabilities/diagnostics/index.ts'
import {
  agentConfig,
  createClock,
  createHooks,
  hooksConfig,
  synthesisConfig,
} from '../capabilities/hooks/index.ts'
import type { MemoryCapability, memoryConfig } from '../capabilities/memory/index.ts'
import type { RecallCapability } from '../capabilities/recall/index.ts'
import { createSessions, sessionsConfig } from '../capabilities/sessions/index.ts'
import type { TranscriptsCapability } from '../capabilities/transcripts/index.ts'
import type { LiveConfig } from '../kernel/config/live-config.ts'
import type { Database, Db } from '../kernel/db/database.ts'
import type { Events } from '../kernel/events/events.ts'
import type { Host } from '../kernel/host/host.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import type { Log } from '../kernel/log/log.ts'
import { createAbsentHearers } from './absent-parts.ts'
import { createToolSessions } from './tool-sessions.ts'

const minuteMs = 60_000
const sixHoursMs = 360 * minuteMs

export const conversationsSlices = {
  sessions: sessionsConfig,
  hooks: hooksConfig,
  synthesis: synthesisConfig,
  agent: agentConfig,
}

interface ConversationsNeeds {
  readonly database: Pick<Database, 'db' | 'background'>
  readonly jobs: Jobs
  readonly host: Host
  readonly log: Log
  readonly self: Pick<Self, 'workspace'>
  readonly config: LiveConfig<typeof conversationsSlices & { memory: typeof memoryConfig }>
  readonly agents: AgentsCapability
  readonly memory: MemoryCapability
  readonly recall: RecallCapability
  readonly transcripts: TranscriptsCapability
  readonly events: Pick<Events, 'emit'>
}

/** The sessions of the harnesses, and what is said in them. */
export function createConversations(needs: ConversationsNeeds) {
  const { database, host, log, jobs, self, agents, memory, recall, transcripts, events } = needs
  const { db, background } = database
  const settings = () => needs.config.current().capabilities
  const pipeline = () => settings().memory.pipelineV2
  const sessions = createSessions({
    ...{ db, host, agents, transcripts, memory: memory.selection, daemonId: host.newId() },
    config: () => ({ ...settings().sessions, continuity: pipeline().continuity }),
    events,
  })
  const hooks = createHooks({
    ...{ db, background, jobs, host, log, events, agents, memory, recall, sessions, transcripts },
    folder: self.workspace,
    settings: () => {
      const { continuity, enabled: pipelineEnabled } = pipeline()
      return { ...settings(), continuity, pipelineEnabled }
    },
    clock: createClock(),
    ...createAbsentHearers(),
  })
  const parts = [transcripts, sessions, hooks]
  const everyMs = settings().sessions.sweepIntervalMs
  return {
    routes: [...sessions.routes, ...hooks.routes],
    health: sessions.health,
    harnessesSeen: sessions.harnessesSeen,
    toolSessions: createToolSessions({ db, sessions, transcripts }),
    assertSession: sessions.assertInScope,
    agentDeparture: {
      archive: async (db: Db, agentId: string) => {
        for (const { agentDeparture } of [sessions, hooks])
          await agentDeparture.archive(db, agentId)
      },
      purge: async (db: Db, agentId: string) => {
        for (const { agentDeparture } of parts) await agentDeparture.purge(db, agentId)
      },
    },
    maintenance: [
      { name: 'hooks.wake-idle', everyMs: minuteMs, run: () => hooks.wakeIdle() },
      { name: 'hooks.sweep', everyMs: sixHoursMs, run: () => hooks.sweep() },
      { name: 'sessions.sweep', everyMs, run: () => sessions.sweep() },
    ],
  }
}
