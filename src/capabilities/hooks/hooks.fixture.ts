import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createJobs } from '../../kernel/jobs/jobs.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { createNullEngine } from '../../search/index.ts'
import { agentsModule, createAgents } from '../agents/index.ts'
import { createMemory, memoryMigrations, memorySettings } from '../memory/index.ts'
import { createRecall, recallModule, searchSettings } from '../recall/index.ts'
import {
  continuitySettings,
  createSessions,
  sessionsModule,
  sessionsSettings,
} from '../sessions/index.ts'
import { createSynthesis, synthesisModule, synthesisSettings } from '../synthesis/index.ts'
import { createTranscripts, transcriptsModule, transcriptsSettings } from '../transcripts/index.ts'
import { createClock } from './clock.ts'
import { agentSettings, hooksSettings } from './config.ts'
import type { Hook, SessionStart } from './hook.ts'
import { hooksMigrations } from './migrations.ts'
import type { EntitiesPort, HooksNeeds } from './needs.ts'
import type { startContext } from './replies.ts'
import { startSession } from './start/session-start.ts'

export const onEachEngine = testOnEachEngine([
  ...jobsMigrations,
  ...agentsModule.migrations,
  ...memoryMigrations,
  ...recallModule.migrations,
  ...transcriptsModule.migrations,
  ...sessionsModule.migrations,
  ...synthesisModule.migrations,
  ...hooksMigrations,
])

const ada = callerFor('ada')

type Ports = Pick<HooksNeeds, 'entities' | 'plugins' | 'secrets' | 'updateNotice'>

export const noEntities: EntitiesPort = {
  findNamed: async () => [],
  listAttributes: async () => [],
  findFocal: async () => ({ memoryIds: [], constraints: [] }),
}
const absent: Ports = {
  entities: noEntities,
  plugins: { listContributions: async () => [] },
  secrets: { listNames: async () => [] },
  updateNotice: () => '',
}

function createTestRecall(
  needs: Pick<
    Parameters<typeof createRecall>[0],
    'db' | 'host' | 'log' | 'events' | 'agents' | 'memory'
  >,
) {
  return createRecall({
    ...needs,
    config: () => searchSettings.schema.parse(undefined),
    engine: createNullEngine(),
    embeddings: {
      embedQuery: async () => undefined,
      vectorOf: async () => undefined,
      activeIdentity: () => '',
    },
    transcripts: { search: async () => [], listSummaries: async () => [] },
  })
}

/** The real neighbours, a clock that the test moves, and what is announced. */
export async function hooksNeeds(db: Db, ports: Partial<Ports> = {}) {
  const host = steeredHost()
  const log = createLog('silent')
  const folder = await temporaryFolder()
  const announced: unknown[][] = []
  const events: Pick<Events, 'emit'> = {
    emit: ({ name }, payload) => announced.push([name, payload]),
  }
  const agents = createAgents({ db, host, removals: { list: () => [] } })
  const memory = createMemory({
    ...{ db, host, log, agents, events, codexHome: '/nowhere' },
    config: () => memorySettings.schema.parse(undefined),
    embeddings: noEmbeddings,
    secretPolicy: () => 'redact',
  })
  const recall = createTestRecall({ db, host, log, events, agents, memory })
  const jobs = createJobs({ db, host, log })
  const transcripts = createTranscripts({
    ...{ db, background: db, host, log, folder, jobs },
    ...{ locks: createFileLocks(host), config: () => transcriptsSettings.schema.parse(undefined) },
  })
  onTestFinished(() => transcripts.stop())
  for (const { extensionPoints } of [memory, recall, transcripts])
    for (const { seal } of extensionPoints) seal()
  const continuity = continuitySettings.schema.parse(undefined)
  const sessions = createSessions({
    ...{ db, host, events, agents, transcripts, memory: memory.selection, daemonId: 'd1' },
    config: () => ({ ...sessionsSettings.schema.parse(undefined), continuity }),
  })
  const hooks = hooksSettings.schema.parse({ sessionStart: { recallLimit: 3 } })
  const agent = agentSettings.schema.parse(undefined)
  const synthesis = createSynthesis({
    db,
    background: db,
    jobs,
    host,
    log,
    folder,
    agents,
    sessions,
    transcripts,
    memory: memory.selection,
    config: () => synthesisSettings.schema.parse(undefined),
  })
  const needs: HooksNeeds & {
    readonly host: typeof host
    readonly transcripts: typeof transcripts
  } = {
    ...{ db, host, log, events, folder },
    ...{ agents, memory, recall, sessions, synthesis, transcripts },
    clock: createClock('America/Denver'),
    settings: () => ({ hooks, continuity, pipelineEnabled: true, agent }),
    ...{ ...absent, ...ports },
  }
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const remember = async (content: string, more: object = {}) =>
    (await memory.remember(ada, { content, visibility: 'global', ...more })).memory.id
  return { needs, announced, write, remember, sweepSessions: sessions.sweep }
}

export function hook(more: Partial<Hook> = {}): Hook {
  return {
    ...{ caller: ada, harness: 'codex', sessionKey: 'one', project: '/p' },
    ...{ runtimePath: 'plugin', internal: false, ...more },
  }
}

type StartContext = z.output<typeof startContext>

/** Starts a session that gets a context. */
export async function begin(
  needs: HooksNeeds,
  more: Partial<SessionStart> = {},
): Promise<StartContext> {
  return (await startSession(needs, { hook: hook(), claimOnly: false, ...more })) as StartContext
}

/** The same with other settings of hooks. */
export function withHooks<Needs extends HooksNeeds>(needs: Needs, written: object): Needs {
  const hooks = hooksSettings.schema.parse(written)
  return { ...needs, settings: () => ({ ...needs.settings(), hooks }) }
}

type Advance = Readonly<Record<'sessionKey' | 'reason' | 'sourceRef' | 'epoch', unknown>>

/** Why what was told counts no longer, by session, and what tells more about it. */
export function listAdvances(db: Db) {
  return db
    .withTables<{ sessionContextEpochs: Advance }>()
    .selectFrom('sessionContextEpochs')
    .select(['sessionKey', 'reason', 'sourceRef'])
    .orderBy('epoch')
    .execute()
}
