import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import type { DreamingNeeds } from './needs.ts'
import { runPass } from './run-pass.ts'
import { findPass } from './store/passes.ts'
import { triggerPass } from './trigger.ts'

const ada = callerFor('ada')
const request = { mode: 'incremental', engine: undefined, dryRun: false } as const
const runWith = (needs: DreamingNeeds, passId: string) =>
  runPass(needs, {
    id: 'job',
    attempt: 1,
    agentId: 'ada',
    subject: null,
    payload: { passId },
    signal: new AbortController().signal,
  })

onEachEngine('a pass that is frozen or disabled while it reads writes nothing', async (db) => {
  const { remember, needs, state, run, values } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  let isFrozen = false
  const during = (change: () => void) => ({
    ...needs,
    isFrozen: () => isFrozen,
    rules: {
      ...needs.rules,
      readStatements: (task: Parameters<typeof needs.rules.readStatements>[0]) => {
        change()
        return needs.rules.readStatements(task)
      },
    },
  })
  const changes = [
    () => {
      isFrozen = true
    },
    () => {
      isFrozen = false
      state.config = { ...state.config, enabled: false }
    },
  ]
  for (const change of changes) {
    const { passId } = await triggerPass(needs, ada, request)
    await runWith(during(change), passId)
    expect(await findPass(db, 'ada', passId)).toMatchObject({
      status: 'failed',
      error: 'Dreaming was frozen or disabled during the pass.',
    })
    expect(await values('Maud Reyes')).toEqual([])
  }
  state.config = { ...state.config, enabled: true }
  const { passId } = await triggerPass(needs, ada, request)
  await run(passId)
  expect(await values('Maud Reyes')).toEqual(['Lisbon'])
})

onEachEngine('a clock that jumps loses no evidence and no lease', async (db) => {
  const { dream, remember, values, host } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  await dream()
  host.advance(400 * 86_400_000)
  await remember('Ines Reyes lives in Porto.')
  expect((await dream()).pass).toMatchObject({ status: 'completed', appliedCount: 1 })
  host.advance(-800 * 86_400_000)
  await remember('Carl Reyes lives in Graz.')
  expect((await dream()).pass).toMatchObject({ status: 'completed', appliedCount: 1 })
  expect(await values('Carl Reyes')).toEqual(['Graz'])
  expect((await dream()).operations).toEqual([])
})
