import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { dumpAll } from '../ontology/ontology.fixture.ts'
import { applyPlanned, discardPlan } from './decide-plan.ts'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import { evidenceDependant } from './forgetting.ts'
import { describePass } from './read-pass.ts'
import { listOperations } from './store/operations.ts'
import { findPass } from './store/passes.ts'
import { triggerPass } from './trigger.ts'
import { undoPass } from './undo-pass.ts'

const ada = callerFor('ada')
const request = { mode: 'incremental', engine: undefined, dryRun: false } as const
const undoing = { partial: false, dryRun: false } as const

onEachEngine(
  'a pass turns statements into cited claims, and a second one stages nothing',
  async (db) => {
    const { dream, remember, values, emitted } = dreamingKit(db)
    const id = await remember('Maud Reyes lives in Lisbon.')
    const { pass, operations } = await dream()

    expect(pass).toMatchObject({ status: 'completed', disposition: 'applied', appliedCount: 1 })
    expect(operations).toMatchObject([
      { state: 'applied', evidence: [{ sourceId: id, quote: 'Maud Reyes lives in Lisbon.' }] },
    ])
    expect(await values('Maud Reyes')).toEqual(['Lisbon'])
    expect(emitted).toEqual(
      expect.arrayContaining(['dreaming.pass_started', 'dreaming.pass_ended']),
    )
    const second = await dream()
    expect(second.pass).toMatchObject({ disposition: 'none', summary: 'Nothing new to read.' })
    expect(second.operations).toEqual([])
  },
)

onEachEngine(
  'a change supersedes, shows both values, and undo puts the old one back',
  async (db) => {
    const { dream, remember, values, host, needs } = dreamingKit(db)
    await remember('Maud Reyes lives in Lisbon.')
    await dream()
    host.advance(60_000)
    await remember('Maud Reyes lives in Porto.')
    const { pass } = await dream()
    const { operations } = await describePass(needs, 'ada', pass.id)

    expect(operations).toMatchObject([
      { slot: 'location · lives_in', before: 'Lisbon', after: 'Porto' },
    ])
    expect(await values('Maud Reyes')).toEqual(['Porto'])
    const dry = await undoPass(needs, ada, { ...undoing, passId: pass.id, dryRun: true })
    expect(dry).toMatchObject({ undone: [0], remaining: [] })
    expect(await values('Maud Reyes')).toEqual(['Porto'])
    const undone = await undoPass(needs, ada, { ...undoing, passId: pass.id })
    expect(undone.pass.disposition).toBe('undone')
    expect(await values('Maud Reyes')).toEqual(['Lisbon'])
    await expect(undoPass(needs, ada, { ...undoing, passId: pass.id })).rejects.toMatchObject({
      code: 'already_undone',
    })
  },
)

onEachEngine(
  'an undone claim does not come back from the same words, and does from newer ones',
  async (db) => {
    const { dream, remember, values, host, needs, db: rows } = dreamingKit(db)
    const id = await remember('Maud Reyes lives in Lisbon.')
    const { pass } = await dream()
    await undoPass(needs, ada, { ...undoing, passId: pass.id })
    await evidenceDependant.recovered(rows, { agentId: 'ada', kind: 'memory', ids: [id] })
    host.advance(60_000)
    await dream()
    expect(await values('Maud Reyes')).toEqual([])
    await remember('Yes, Maud Reyes lives in Lisbon.')
    await dream()
    expect(await values('Maud Reyes')).toEqual(['Lisbon'])
  },
)

onEachEngine('undo keeps rows that changed since, and refuses without partial', async (db) => {
  const { dream, remember, values, needs, apply } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  await remember('Ines Sol lives in Faro.')
  const { pass } = await dream()
  const slot = { aspect: 'location', claim_key: 'lives_in' }
  await apply([['set_claim_value', { entity: 'Ines Sol', ...slot, value: 'Braga' }]])

  await expect(undoPass(needs, ada, { ...undoing, passId: pass.id })).rejects.toMatchObject({
    code: 'changed_since',
  })
  expect(await values('Maud Reyes')).toEqual(['Lisbon'])
  const { undone, remaining } = await undoPass(needs, ada, {
    ...undoing,
    passId: pass.id,
    partial: true,
  })
  expect([undone.length, remaining.length]).toEqual([1, 1])
  expect(await values('Maud Reyes')).toEqual([])
  expect(await values('Ines Sol')).toEqual(['Braga'])
})

onEachEngine(
  'a preview writes its plan only; parts of it are applied and discarded',
  async (db) => {
    const { dream, remember, values, needs } = dreamingKit(db)
    await remember('Maud Reyes lives in Lisbon.')
    await remember('Ines Sol lives in Faro.')
    const before = await dumpAll(db)
    const { pass, operations } = await dream({ dryRun: true })

    expect(pass).toMatchObject({ status: 'completed', disposition: 'planned' })
    expect(operations.map(({ state }) => state)).toEqual(['planned', 'planned'])
    expect(await dumpAll(db)).toEqual(before)
    const applied = await applyPlanned(needs, ada, { passId: pass.id, only: [0] })
    expect(applied).toMatchObject({
      pass: { disposition: 'partly_applied' },
      items: [{ position: 0, state: 'applied' }],
    })
    await discardPlan(needs, ada, { passId: pass.id })
    await expect(applyPlanned(needs, ada, { passId: pass.id })).rejects.toMatchObject({
      code: 'not_planned',
    })
    const subjects = operations.map(({ subject }) => subject)
    expect(await values(subjects[0] ?? '')).toHaveLength(1)
    expect(await values(subjects[1] ?? '')).toHaveLength(0)
    await dream()
    expect(await values(subjects[1] ?? '')).toHaveLength(0)
  },
)

onEachEngine(
  'a planned operation fails when its source is gone or its value changed',
  async (db) => {
    const { dream, remember, needs, apply, host } = dreamingKit(db)
    const id = await remember('Maud Reyes lives in Lisbon.')
    await remember('Ines Sol lives in Faro.')
    await dream()
    host.advance(60_000)
    const gone = await remember('Maud Reyes lives in Porto.')
    await remember('Ines Sol lives in Tavira.')
    const { pass } = await dream({ dryRun: true })
    await evidenceDependant.forgotten(db, { agentId: 'ada', kind: 'memory', ids: [gone] })
    const slot = { aspect: 'location', claim_key: 'lives_in' }
    await apply([['set_claim_value', { entity: 'Ines Sol', ...slot, value: 'Braga' }]])
    const { items } = await applyPlanned(needs, ada, { passId: pass.id })

    expect(items).toMatchObject([
      { state: 'failed', error: expect.stringContaining('changed_since') },
    ])
    const states = (await listOperations(db, pass.id)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['failed', 'refused'])
    expect(id).not.toBe(gone)
  },
)

onEachEngine('purged evidence leaves no word in plans', async (db) => {
  const { dream, remember } = dreamingKit(db)
  const id = await remember('Maud Reyes lives in Lisbon.')
  const { pass } = await dream({ dryRun: true })
  await evidenceDependant.purged(db, { agentId: 'ada', kind: 'memory', ids: [id] })

  expect(JSON.stringify(await listOperations(db, pass.id))).not.toMatch(/Lisbon|Maud/)
})

onEachEngine(
  'one pass runs at a time, and another daemon cannot take a running one',
  async (db) => {
    const { needs, run, remember, values } = dreamingKit(db)
    await remember('Maud Reyes lives in Lisbon.')
    const { passId } = await triggerPass(needs, ada, request)
    await expect(triggerPass(needs, ada, request)).rejects.toMatchObject({ code: 'pass_running' })
    const other = { ...needs, exclusive: false, owner: 'daemon-2', active: { current: undefined } }
    await expect(triggerPass(other, ada, request)).rejects.toMatchObject({ code: 'pass_running' })
    await Promise.all([run(passId), run(passId)])

    expect(await findPass(db, 'ada', passId)).toMatchObject({
      status: 'completed',
      appliedCount: 1,
    })
    expect(await values('Maud Reyes')).toEqual(['Lisbon'])
  },
)

onEachEngine('a failed pass leaves the graph and its evidence', async (db) => {
  const kit = dreamingKit(db)
  const { remember, dream, needs, values } = kit
  await remember('Maud Reyes lives in Lisbon.')
  const before = await dumpAll(db)
  const failing = dreamingKit(
    db,
    {},
    {
      rules: {
        ...needs.rules,
        decideOperations: () => Promise.reject(new Error('the thread died')),
      },
    },
  )
  const { pass } = await failing.dream()

  expect(pass).toMatchObject({ status: 'failed', error: 'the thread died' })
  expect(await dumpAll(db)).toEqual(before)
  await dream()
  expect(await values('Maud Reyes')).toEqual(['Lisbon'])
})

onEachEngine('a disabled, frozen or paused service starts no pass', async (db) => {
  const { needs, state } = dreamingKit(db)
  const refused = { kind: 'unavailable', code: 'not_running' }
  const frozen = { ...needs, isFrozen: () => true }
  await expect(triggerPass(frozen, ada, request)).rejects.toMatchObject(refused)
  await expect(triggerPass(needs, ada, { ...request, engine: 'model' })).rejects.toMatchObject({
    code: 'no_provider',
  })
  await needs.gate.close()
  await expect(triggerPass(needs, ada, request)).rejects.toMatchObject(refused)
  needs.gate.open()
  state.config = { ...state.config, enabled: false }
  await expect(triggerPass(needs, ada, request)).rejects.toMatchObject(refused)
  expect(await triggerPass(needs, ada, { ...request, dryRun: true })).toMatchObject({
    dryRun: true,
  })
})

onEachEngine('an operation of a plan costs few statements', async (db) => {
  let statements = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { dream, remember, needs } = dreamingKit(counted)
  const names = ['Maud', 'Ines', 'Carl', 'Dora', 'Emil', 'Faye', 'Gina', 'Hugo', 'Ivan', 'Jana']
  for (const name of names)
    for (const place of ['Reyes', 'Brandt']) await remember(`${name} ${place} lives in Lisbon.`)
  const { pass, operations } = await dream({ dryRun: true })
  statements = 0
  await applyPlanned(needs, ada, { passId: pass.id })
  expect(operations).toHaveLength(20)
  // With the words and the history of 20 derived memories.
  expect(statements / operations.length).toBeLessThan(12)
})
