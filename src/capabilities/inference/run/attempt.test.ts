import { expect, test } from 'vitest'
import { failWith, openInference, requestFor } from '../inference.fixture.ts'
import { execute } from './execute.ts'

test('each call counts for its provider, unless the target cannot run', async () => {
  const { router, behaviours, providerCalls } = await openInference({
    behaviours: { a: failWith({ kind: 'timeout' }), b: failWith({ kind: 'http', status: 500 }) },
  })
  await expect(execute(router, requestFor())).rejects.toThrow()
  behaviours['a'] = failWith({ kind: 'runtime_unavailable' })
  behaviours['b'] = {}
  await execute(router, requestFor())

  const calls = providerCalls.recent().map(({ provider, outcome }) => [provider, outcome])
  expect(calls).toEqual([
    ['a', 'timeout'],
    ['b', 'failure'],
    ['b', 'success'],
  ])
})
