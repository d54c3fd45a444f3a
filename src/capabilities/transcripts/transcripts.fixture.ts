import { EventEmitter, once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createJobs } from '../../kernel/jobs/jobs.ts'
import type { JobKind, Task } from '../../kernel/jobs/kind.ts'
import { jobsMigrations } from '../../kernel/jobs/migrations.ts'
import { createLog } from '../../kernel/log/log.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { transcriptsSettings } from './config.ts'
import { createTranscripts } from './index.ts'
import { transcriptsMigrations } from './migrations.ts'
import type { TranscriptsNeeds } from './needs.ts'

export const onEachEngine = testOnEachEngine([...jobsMigrations, ...transcriptsMigrations])

export const session = { agentId: 'ada', sessionKey: 's1', harness: 'codex' } as const

/** A temporary folder that is removed after the test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'reverie-transcripts-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Transcripts in a temporary workspace, with jobs that the test runs. */
export function transcriptsFor(db: Db, more: Partial<TranscriptsNeeds> = {}) {
  const host = manualClockHost()
  const log = createLog('silent')
  const queue = createJobs({ db, host, log })
  const runs = new EventEmitter()
  const handle = (kind: JobKind) =>
    queue.handle({ ...kind, run: (task) => announce(runs, kind, task) })
  const jobs = { ...queue, handle }
  const folder = makeFolder()
  const stagingFolder = makeFolder()
  const needs: TranscriptsNeeds = {
    db,
    background: db,
    host,
    log,
    jobs,
    folder,
    locks: createFileLocks(host),
    config: () => ({ ...transcriptsSettings.schema.parse(undefined), stagingFolder }),
    models: { run: () => Promise.reject(new Error('no model')) },
    readMemories: async () => [],
    eventSources: () => [],
    ...more,
  }
  const transcripts = createTranscripts(needs)
  for (const point of transcripts.extensionPoints) point.seal()
  for (const kind of transcripts.jobs) jobs.handle(kind)
  onTestFinished(() => transcripts.stop())
  /** Runs jobs until the condition is true. The condition is checked after each job. */
  const workUntil = async (isDone: () => Promise<boolean>) => {
    queue.start()
    onTestFinished(() => queue.stop())
    for (let ended = once(runs, 'ended'); !(await isDone()); ended = once(runs, 'ended'))
      await ended
  }
  const file = join(folder, 'transcripts', session.harness, 'transcript.jsonl')
  /** The content of the file. */
  const lines = async () =>
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
  return { needs, host, folder, stagingFolder, transcripts, workUntil, file, lines }
}

async function announce(runs: EventEmitter, { run }: JobKind, task: Task): Promise<void> {
  try {
    await run(task)
  } finally {
    runs.emit('ended')
  }
}
