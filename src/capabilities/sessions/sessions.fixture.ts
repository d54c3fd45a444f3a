import { onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createJobs } from '../../kernel/jobs/jobs.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import { steeredHost } from '../../kernel/testing/steered-host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { agentsMigrations, createAgents } from '../agents/index.ts'
import { createMemory, memoryConfig, memoryMigrations } from '../memory/index.ts'
import {
  createTranscripts,
  transcriptsConfig,
  transcriptsMigrations,
} from '../transcripts/index.ts'
import { sessionsConfig } from './config.ts'
import type { Entering } from './enter.ts'
import { sessionsMigrations } from './migrations.ts'
import type { SessionsNeeds } from './needs.ts'

export const onEachEngine = testOnEachEngine([
  ...jobsMigrations,
  ...agentsMigrations,
  ...memoryMigrations,
  ...transcriptsMigrations,
  ...sessionsMigrations,
])

/** The real neighbours, and a clock that the test moves. */
export async function sessionsNeeds(db: Db) {
  const host = steeredHost()
  const log = createLog('silent')
  const agents = createAgents({ db, host, departures: () => [] })
  const jobs = createJobs({ db, host, log })
  const { selection, remember } = createMemory({
    ...{ db, host, log, agents, events: { emit: () => undefined }, codexHome: '/nowhere' },
    config: () => memoryConfig.parse(undefined),
    embeddings: noEmbeddings,
    hygiene: () => 'redact',
  })
  const transcripts = createTranscripts({
    ...{ db, background: db, host, log, jobs, locks: createFileLocks(host) },
    folder: await temporaryFolder(),
    config: () => transcriptsConfig.parse(undefined),
    memoriesOf: async () => [],
    evidence: () => [],
  })
  onTestFinished(() => transcripts.close())
  const config = () => ({
    ...sessionsConfig.parse(undefined),
    continuity: memoryConfig.parse(undefined).pipelineV2.continuity,
  })
  const events = { emit: () => undefined }
  const needs = { db, host, agents, config, events, daemonId: 'd1', memory: selection, transcripts }
  return { ...needs, remember, jobs } satisfies SessionsNeeds & Record<'remember' | 'jobs', unknown>
}

export const one = { agentId: 'ada', sessionKey: 'one' }

export function entering(more: Partial<Entering> = {}): Entering {
  return { ...one, harness: 'codex', project: null, runtimePath: 'plugin', appears: false, ...more }
}
