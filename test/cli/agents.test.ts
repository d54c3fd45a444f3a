import { afterAll, expect, test } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json } = reverieOf(service)

test('an agent is created, listed and shown', async () => {
  const made = await json(['agents', 'create', 'grace', '--policy', 'group', '--group', 'team'])

  expect(made).toMatchObject({ name: 'grace', read_policy: 'group', policy_group: 'team' })
  expect((await json(['agents', 'list']))['agents']).toContainEqual(made)
  expect(await json(['agents', 'show', 'grace'])).toEqual(made)
  expect((await run(['agents', 'list'])).stdout).toMatch(/grace\s+group\s+team/)
})

test('an invalid agent name exits with 3, an unknown one with 4', async () => {
  expect((await run(['agents', 'create', '../up'])).code).toBe(3)
  const absent = await run(['agents', 'show', 'absent'])
  expect(absent.code).toBe(4)
  expect(absent.stderr).toContain('there is no agent absent')
})
