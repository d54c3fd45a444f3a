import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEvents } from '../../kernel/events/events.ts'
import { createFileLocks, type FileLocks } from '../../kernel/files/file-lock.ts'
import { createGate } from '../../kernel/gate/gate.ts'
import { createLog } from '../../kernel/log/log.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { pipelinePaused } from './events.ts'
import { createTransitions } from './transition.ts'

const text = 'memory:\n  pipelineV2:\n    paused: false # mine\n'

async function pipeline(locks?: FileLocks) {
  const host = manualClockHost()
  const folder = await temporaryFolder()
  const file = join(folder, 'agent.yaml')
  await writeFile(file, text)
  const events = createEvents(() => {})
  const settings = { enabled: true, paused: false, mutationsFrozen: false }
  const gate = createGate(host)
  const needs = {
    host,
    folder,
    events,
    gate,
    log: createLog('silent'),
    locks: locks ?? createFileLocks(host),
    settings: () => settings,
    config: {
      examine: () => ({ issues: [], waiting: [], unknownSettings: [] }),
      reload: async () => {
        settings.paused = (await readFile(file, 'utf8')).includes('paused: true')
      },
    },
  }
  return { file, gate, events, host, ...createTransitions(needs) }
}

test('a pause aborts the operations that run and reports those that remain', async () => {
  const { events, file, gate, host, pause } = await pipeline()
  const changes: unknown[] = []
  events.on(pipelinePaused, (change) => {
    changes.push(change)
  })
  const stubborn = gate.enter('repair')
  const obedient = gate.enter('memory_extraction')
  obedient.signal.addEventListener('abort', obedient.leave)
  const pausing = pause('ada')
  await expect.poll(() => host.sleeps()).toEqual([5_000])
  host.advance(5_000)

  expect(await pausing).toMatchObject({
    changed: true,
    mode: 'paused',
    quiescence: { activeAtStart: 2, aborted: 2, remaining: 1, timedOut: true },
  })
  expect(stubborn.signal.aborted).toBe(true)
  expect(await readFile(file, 'utf8')).toBe(text.replace('false', 'true'))
  expect(changes).toEqual([{ actor: 'ada', mode: 'paused' }])
})

test('a file that cannot be written is a 500 with its code, and the gate stays open', async () => {
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
  const { gate, pause } = await pipeline({ withLock: () => Promise.reject(denied) })

  expect(await pause('ada')).toMatchObject({
    status: 500,
    body: { code: 'settings_not_writable' },
  })
  expect(gate.isOpen()).toBe(true)
})
