import { expect } from 'vitest'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import { describePass, readPasses } from './read-pass.ts'
import { readRunbooks } from './runbook.ts'
import { tables } from './store/rows.ts'

onEachEngine('reasons of passes of earlier versions name no rule', async (db) => {
  const { needs, remember, dream } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  const { pass } = await dream()
  const reasonAfter = async (reason: string) => {
    await tables(db).updateTable('dreamingOperations').set({ reason }).execute()
    const { operations } = await describePass(needs, 'ada', pass.id)
    return operations.map((operation) => operation.reason)
  }

  expect(await reasonAfter('The source says so (en.moved_to).')).toEqual(['The source says so.'])
  expect(await reasonAfter('The source says so.')).toEqual(['The source says so.'])
  expect(await reasonAfter('Ada (e.g. in mail) says so.')).toEqual(['Ada (e.g. in mail) says so.'])
})

onEachEngine('a list of passes has their counts without what they have read', async (db) => {
  const { needs, remember, dream } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  const { pass } = await dream()

  const { items } = await readPasses(needs, 'ada', { limit: 1 })
  expect(items).toMatchObject([{ id: pass.id, sources: 1, mutationsApplied: 1 }])
  const { window } = await describePass(needs, 'ada', pass.id)
  expect(window.sources).toHaveLength(1)
  expect(await readRunbooks(needs, 'ada', 1)).toMatchObject([
    { passId: pass.id, evidenceWindow: { sources: [{ chars: 27 }] } },
  ])
})
