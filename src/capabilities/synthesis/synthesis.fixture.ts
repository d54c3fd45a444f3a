import { onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createJobs } from '../../kernel/jobs/jobs.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { agentsModule, createAgents } from '../agents/index.ts'
import { createMemory, memoryMigrations, memorySettings } from '../memory/index.ts'
import {
  continuitySettings,
  createSessions,
  sessionsModule,
  sessionsSettings,
} from '../sessions/index.ts'
import { createTranscripts, transcriptsModule, transcriptsSettings } from '../transcripts/index.ts'
import { synthesisSettings } from './config.ts'
import { synthesisMigrations } from './migrations.ts'
import type { SynthesisOptions } from './needs.ts'

export const synthesisFixtureMigrations = [
  ...jobsMigrations,
  ...agentsModule.migrations,
  ...memoryMigrations,
  ...transcriptsModule.migrations,
  ...sessionsModule.migrations,
  ...synthesisMigrations,
]

export const onEachEngine = testOnEachEngine(synthesisFixtureMigrations)

export const ada = callerFor('ada')

const continuity = continuitySettings.schema.parse(undefined)

/** The real capabilities that synthesis uses, with a clock that the test moves. */
export async function capabilitiesFixture(
  db: Db,
  events: Pick<Events, 'emit'> = { emit: () => undefined },
) {
  const host = manualClockHost()
  const log = createLog('silent')
  const folder = await temporaryFolder()
  const agents = createAgents({ db, host, removals: { list: () => [] } })
  const memory = createMemory({
    db,
    host,
    log,
    agents,
    events,
    codexHome: '/nowhere',
    config: () => memorySettings.schema.parse(undefined),
    embeddings: noEmbeddings,
    secretPolicy: () => 'redact',
  })
  const jobs = createJobs({ db, host, log })
  const transcripts = createTestTranscripts({ db, host, log, folder, jobs })
  for (const { seal } of [...memory.extensionPoints, ...transcripts.extensionPoints]) seal()
  const sessions = createSessions({
    db,
    host,
    events,
    agents,
    transcripts,
    memory: memory.selection,
    daemonId: 'd1',
    config: () => ({ ...sessionsSettings.schema.parse(undefined), continuity }),
  })
  return { db, host, log, folder, events, jobs, agents, memory, transcripts, sessions }
}

function createTestTranscripts(
  needs: Pick<Parameters<typeof createTranscripts>[0], 'db' | 'host' | 'log' | 'folder' | 'jobs'>,
) {
  const transcripts = createTranscripts({
    ...needs,
    background: needs.db,
    locks: createFileLocks(needs.host),
    config: () => transcriptsSettings.schema.parse(undefined),
    models: { run: () => Promise.reject(new Error('no model')) },
  })
  onTestFinished(() => transcripts.stop())
  return transcripts
}

/** The options of synthesis, and a session `one` of `ada`. */
export async function synthesisFixture(db: Db) {
  const { memory, events: _, ...needs } = await capabilitiesFixture(db)
  const options = {
    ...needs,
    background: db,
    memory: memory.selection,
    config: () => synthesisSettings.schema.parse(undefined),
  } satisfies SynthesisOptions
  const captureSummary = () =>
    needs.transcripts.saveArtifact({
      agentId: 'ada',
      sessionKey: 'one',
      harness: 'codex',
      kind: 'summary',
      body: toCleanText('We painted the barn red.'),
      capturedAt: needs.host.now().toISOString(),
    })
  const remember = (content: string, more: object = {}) =>
    memory.remember(ada, { content, visibility: 'global', ...more })
  return { options, remember, captureSummary }
}
