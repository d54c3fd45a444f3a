import { expect, onTestFinished } from 'vitest'
import type { Claims } from '../../../kernel/auth/token.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { accessNeeds, makerOf, onEachEngine } from '../access.fixture.ts'
import { createAccess } from '../index.ts'
import { keyBody } from '../schemas.ts'
import { findKey, insertKey } from '../store/api-keys.ts'
import { createKeyring } from './keyring.ts'
import { createKey, listKeys, revoke } from './manage-keys.ts'

type Needs = ReturnType<typeof accessNeeds>

const minuteMs = 60_000

function create(needs: Needs, body: object = {}, maker: Partial<Claims> = {}) {
  return createKey(needs, makerOf(maker), keyBody.parse({ name: 'laptop', ...body }))
}

onEachEngine('a key is accepted, and only its digest is stored', async (db) => {
  const needs = accessNeeds(db)
  const { key, row } = await create(needs)

  expect(key).toMatch(/^svck_[a-z]{8}_[\w-]{43}$/)
  expect(JSON.stringify(await findKey(db, row.id))).not.toContain(key.slice(14))
  expect(await needs.keyring.findByText(key)).toMatchObject({
    claims: { sub: `key:${row.prefix.slice(5)}`, name: 'laptop', role: 'agent', key: row.id },
  })
  expect(await needs.keyring.findByText(`${key.slice(0, -1)}~`)).toBeUndefined()
  expect(await needs.keyring.findByText(`${row.prefix}_${'a'.repeat(43)}`)).toBeUndefined()
})

onEachEngine('a revoked key is refused at once and ends its streams', async (db) => {
  const needs = accessNeeds(db)
  const { key, row } = await create(needs)
  const live = await needs.keyring.findByText(key)

  const first = await revoke(needs, { name: 'bob' }, row.id)

  expect(live?.revoked.aborted).toBe(true)
  expect(await needs.keyring.findByText(key)).toBeUndefined()
  expect(await needs.keyring.findById(row.id)).toBeUndefined()
  needs.host.advance(minuteMs)
  expect(await revoke(needs, { name: 'bob' }, row.id)).toEqual(first)
  await expect(revoke(needs, { name: 'bob' }, 'none')).rejects.toThrow('API key not found')
})

onEachEngine('another daemon refuses a revoked key after five seconds', async (db) => {
  const needs = accessNeeds(db)
  const other = createKeyring(needs)
  const { key, row } = await create(needs)
  const live = await other.findByText(key)
  expect(live?.revoked.aborted).toBe(false)

  await revoke(needs, { name: 'ada' }, row.id)
  needs.host.advance(5_000)

  expect(await other.findByText(key)).toBeUndefined()
  expect(live?.revoked.aborted).toBe(true)
})

onEachEngine('a key ends at its time, and not later than the key that made it', async (db) => {
  const needs = accessNeeds(db)
  const inMinutes = (count: number) =>
    new Date(needs.host.now().getTime() + count * minuteMs).toISOString()
  const { key } = await create(needs, { expiresAt: inMinutes(2) })
  const maker = { key: 'parent', exp: Date.parse(inMinutes(1)) / 1000 }
  const seconds = (text: string | null) => Math.floor(Date.parse(text ?? '') / 1000)

  expect(seconds((await create(needs, {}, maker)).row.expiresAt)).toBe(seconds(inMinutes(1)))
  const later = await create(needs, { expiresAt: inMinutes(9) }, maker)
  expect(seconds(later.row.expiresAt)).toBe(seconds(inMinutes(1)))
  await expect(create(needs, { expiresAt: inMinutes(-1) })).rejects.toThrow('not in the future')
  needs.host.advance(2 * minuteMs)
  expect(await needs.keyring.findByText(key)).toBeUndefined()
})

onEachEngine('a key has no permission that its maker lacks', async (db) => {
  const needs = accessNeeds(db)
  const maker = { permissions: ['admin', 'recall'] }

  await expect(create(needs, { role: 'agent' }, maker)).rejects.toMatchObject({
    kind: 'forbidden',
    code: 'grant_exceeds_maker',
  })
  await expect(create(needs, { role: 'admin' }, maker)).rejects.toThrow("permission 'remember'")
  const { row } = await create(needs, { role: 'agent', permissions: ['recall'] }, maker)
  expect(row).toMatchObject({ role: 'agent', permissions: ['recall'], createdBy: 'ada' })
  await expect(create(needs, { role: 'agent', permissions: ['admin'] })).rejects.toThrow(
    "role 'agent' has no permission 'admin'",
  )
})

onEachEngine('agent and projects of a key become its scope', async (db) => {
  const needs = accessNeeds(db)
  const own = await create(needs, { agentId: 'ada', allowedProjects: ['garden', 'shed'] })
  const scoped = await create(needs, { scope: { agent: 'ada', project: 'garden' } })

  expect(own.row).toMatchObject({ scope: { agent: 'ada' }, agentId: 'ada' })
  expect((await needs.keyring.findById(own.row.id))?.claims).toMatchObject({
    scope: { agent: 'ada' },
    projects: ['garden', 'shed'],
  })
  expect(scoped.row).toMatchObject({ agentId: 'ada', allowedProjects: ['garden'] })
  const wrong = [
    { agentId: 'bob', scope: { agent: 'ada' } },
    { allowedProjects: ['shed'], scope: { project: 'garden' } },
  ]
  for (const body of wrong) await expect(create(needs, body)).rejects.toThrow('Name the same')
})

onEachEngine('removing an agent revokes its keys, and purging deletes them', async (db) => {
  const needs = accessNeeds(db)
  const access = createAccess(needs)
  const [own, other] = [await create(needs, { agentId: 'ada' }), await create(needs)]
  expect(await access.signIn.keys.findByText(own.key)).toBeDefined()

  await transaction(db, (inside) => access.agentRemoval.archive(inside, 'ada'))

  expect(await access.signIn.keys.findByText(own.key)).toBeUndefined()
  expect(await access.signIn.keys.findByText(other.key)).toBeDefined()
  await transaction(db, (inside) => access.agentRemoval.purge(inside, 'ada'))
  expect((await listKeys(needs)).map(({ id }) => id)).toEqual([other.row.id])
})

onEachEngine('the time of the last use is written at most once a minute', async (db) => {
  const needs = accessNeeds(db)
  const { key, row } = await create(needs)
  const use = async () => {
    await needs.keyring.findByText(key)
    await needs.keyring.stop()
    return (await findKey(db, row.id))?.lastUsedAt
  }

  const first = await use()
  expect(first).toBe(needs.host.now().toISOString())
  needs.host.advance(minuteMs - 1)
  expect(await use()).toBe(first)
  needs.host.advance(1)
  expect(await use()).toBe(needs.host.now().toISOString())
})

onEachEngine('the sweep deletes keys that ended ninety days ago', async (db) => {
  const needs = accessNeeds(db)
  const access = createAccess(needs)
  onTestFinished(() => access.stop())
  const sweep = access.schedules.find(({ name }) => name === 'access.sweep')
  const { row } = await create(needs)
  const { row: live } = await create(needs)
  await revoke(needs, { name: 'ada' }, row.id)

  needs.host.advance(89 * 24 * 60 * minuteMs)
  await sweep?.run()
  expect((await listKeys(needs)).map(({ id }) => id)).toEqual([live.id, row.id])
  needs.host.advance(2 * 24 * 60 * minuteMs)
  await sweep?.run()
  expect((await listKeys(needs)).map(({ id }) => id)).toEqual([live.id])
})

onEachEngine('a thousand keys are the limit', async (db) => {
  const needs = accessNeeds(db)
  const { row } = await create(needs)
  for (let index = 0; index < 999; index++)
    await insertKey(db, { ...row, id: `copy-${index}`, prefix: `svck_${index}` })

  await expect(create(needs)).rejects.toMatchObject({ code: 'too_many_api_keys' })
  await revoke(needs, { name: 'ada' }, row.id)
  expect((await create(needs)).row.name).toBe('laptop')
})
