import { expect, test } from 'vitest'
import type { LiveConfig } from '../kernel/config/live-config.ts'
import { createLog } from '../kernel/log/log.ts'
import { fixedHost } from '../kernel/testing/fixed-host.ts'
import { createPipelineGate } from './daemon.ts'

function pipelineGate(paused: boolean) {
  const state = { paused }
  const listeners: (() => void)[] = []
  const config = {
    read: () => state,
    onChange: (listener: () => void) => listeners.push(listener),
  } as unknown as LiveConfig
  const gate = createPipelineGate({ config, host: fixedHost(), log: createLog('silent') })
  const save = (paused: boolean) => {
    state.paused = paused
    for (const listen of listeners) listen()
  }
  return { gate, save }
}

test('a paused pipeline is closed from the start, and follows its setting', () => {
  const { gate, save } = pipelineGate(true)
  expect(gate.isOpen()).toBe(false)

  save(false)
  expect(gate.isOpen()).toBe(true)
  save(true)
  expect(gate.isOpen()).toBe(false)
})

test('a change of other settings aborts no background work', () => {
  const { gate, save } = pipelineGate(false)
  const { signal } = gate.enter('repair')
  save(false)

  expect(signal.aborted).toBe(false)
})
