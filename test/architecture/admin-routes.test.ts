import { expect, test } from 'vitest'
import { readTables } from '../../scripts/read-tables.ts'
import { createAuthenticate } from '../../src/kernel/auth/authenticate.ts'
import { fixedHost } from '../../src/kernel/testing/fixed-host.ts'
import { serve } from '../../src/kernel/testing/serve.ts'

const { routes } = await readTables()
const adminRoutes = routes.filter(({ permission }) => permission === 'admin')
const authenticate = createAuthenticate({
  mode: 'local',
  secret: Buffer.alloc(32),
  host: fixedHost(),
  isOwner: async () => false,
})

test('there are operations with the permission admin', () => {
  expect(adminRoutes.length).toBeGreaterThan(20)
})

test('each operation with the permission admin refuses other users without a token', async () => {
  const url = await serve(adminRoutes, { authenticate })
  const replies = await Promise.all(
    adminRoutes.map(async ({ name, method, path }) => {
      const reply = await fetch(url + path.replaceAll(/[:*]\w+/g, 'some'), { method })
      return { name, status: reply.status, code: Object(await reply.json()).code }
    }),
  )

  const expected = adminRoutes.map(({ name }) => ({ name, status: 403, code: 'other_user' }))
  expect(replies).toEqual(expected)
})
