import { onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createJobs } from '../../kernel/jobs/jobs.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { agentsModule, createAgents } from '../agents/index.ts'
import { createMemory, memoryMigrations, memorySettings } from '../memory/index.ts'
import { createTranscripts, transcriptsModule, transcriptsSettings } from '../transcripts/index.ts'
import { continuitySettings, sessionsSettings } from './config.ts'
import type { EnterRequest } from './enter.ts'
import { sessionsMigrations } from './migrations.ts'
import type { SessionsNeeds } from './needs.ts'

export const onEachEngine = testOnEachEngine([
  ...jobsMigrations,
  ...agentsModule.migrations,
  ...memoryMigrations,
  ...transcriptsModule.migrations,
  ...sessionsMigrations,
])

/** The real capabilities that sessions use, and a clock that the test moves. */
export async function sessionsNeeds(db: Db) {
  const host = manualClockHost()
  const log = createLog('silent')
  const agents = createAgents({ db, host, removals: { list: () => [] } })
  const jobs = createJobs({ db, host, log })
  const memory = createMemory({
    db,
    host,
    log,
    agents,
    events: { emit: () => undefined },
    codexHome: '/nowhere',
    config: () => memorySettings.schema.parse(undefined),
    embeddings: noEmbeddings,
    secretPolicy: () => 'redact',
  })
  const { selection, remember } = memory
  const transcripts = createTranscripts({
    db,
    background: db,
    host,
    log,
    jobs,
    locks: createFileLocks(host),
    folder: await temporaryFolder(),
    config: () => transcriptsSettings.schema.parse(undefined),
    models: { run: () => Promise.reject(new Error('no model')) },
  })
  onTestFinished(() => transcripts.stop())
  for (const { seal } of [...memory.extensionPoints, ...transcripts.extensionPoints]) seal()
  const config = () => ({
    ...sessionsSettings.schema.parse(undefined),
    continuity: continuitySettings.schema.parse(undefined),
  })
  const events = { emit: () => undefined }
  const needs = { db, host, agents, config, events, daemonId: 'd1', memory: selection, transcripts }
  return { ...needs, remember, jobs } satisfies SessionsNeeds & Record<'remember' | 'jobs', unknown>
}

export const one = { agentId: 'ada', sessionKey: 'one' }

export function enterRequest(more: Partial<EnterRequest> = {}): EnterRequest {
  return {
    ...one,
    harness: 'codex',
    project: null,
    runtimePath: 'plugin',
    announcePresence: false,
    ...more,
  }
}
