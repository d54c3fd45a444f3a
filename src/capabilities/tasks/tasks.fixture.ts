import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { tasksSettings } from './config.ts'
import { createForeignRuns } from './foreign-runs.ts'
import { createLiveRuns } from './live-runs.ts'
import { createTask, listTaskRuns } from './manage-tasks.ts'
import { tasksMigrations } from './migrations.ts'
import type { TasksNeeds } from './needs.ts'
import { createScheduler } from './scheduler.ts'
import { createBody } from './schemas.ts'

export const onEachEngine = testOnEachEngine(tasksMigrations)
export const ada = callerFor('ada', 'admin')

interface Clock {
  now: Date
}

/** A daemon with a clock that the test sets and a harness that runs its prompt as a shell script. */
export async function tasksNeeds(db: Db, more: Partial<TasksNeeds> = {}) {
  const folder = await temporaryFolder()
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const program = join(bin, 'fake-harness')
  await writeFile(program, '#!/bin/sh\nexec sh -c "$1"\n')
  await chmod(program, 0o755)
  const clock: Clock = { now: new Date('2026-03-02T08:00:00.000Z') }
  const emitted: unknown[] = []
  const host = { ...realHost, now: () => clock.now }
  const options: Omit<TasksNeeds, 'foreign' | 'scheduler'> = {
    db,
    host,
    log: createLog('silent'),
    events: { emit: ({ name }, payload) => void emitted.push({ name, ...Object(payload) }) },
    children: noChildLedger,
    models: { run: () => Promise.reject(new Error('no model')), isReady: () => false },
    config: () => tasksSettings.schema.parse(undefined),
    exclusive: true,
    home: folder,
    variables: () => ({ PATH: `${bin}:/usr/bin:/bin` }),
    daemonUrl: () => 'http://127.0.0.1:1',
    commands: { codex: { program: 'fake-harness', toArguments: ({ prompt }) => [prompt] } },
    skills: { readBody: async () => undefined },
    live: createLiveRuns({ host }),
    daemonId: host.newId(),
    ...more,
  }
  const scheduler = createScheduler(options)
  onTestFinished(() => scheduler.stop())
  const foreign = createForeignRuns(options)
  return { needs: { ...options, scheduler, foreign }, clock, emitted, folder }
}

export function create(needs: TasksNeeds, body: object = {}) {
  const plain = {
    name: 'a task',
    prompt: 'echo done',
    cronExpression: '*/5 * * * *',
    harness: 'codex',
  }
  return createTask(needs, ada, createBody.parse({ ...plain, ...body }))
}

export async function runsOf(needs: TasksNeeds, id: string) {
  return (await listTaskRuns(needs, ada, id, { limit: 100, offset: 0 })).runs
}

/** Waits until so many runs have ended. Returns all runs, the newest first. */
export async function endOf(needs: TasksNeeds, id: string, count = 1) {
  await vi.waitFor(
    async () => {
      const ended = (await runsOf(needs, id)).filter(({ completedAt }) => completedAt !== null)
      expect(ended).toHaveLength(count)
    },
    { timeout: 10_000, interval: 20 },
  )
  return runsOf(needs, id)
}
