import { expect, onTestFinished } from 'vitest'
import type { Claims } from '../../../kernel/auth/token.ts'
import { accessNeeds, makerOf, onEachEngine } from '../access.fixture.ts'
import { createKey, revoke } from '../keys/manage-keys.ts'
import { keyBody } from '../schemas.ts'
import { countSessions, listOldest } from '../store/browser-sessions.ts'
import { createBrowserSessions } from './browser-sessions.ts'

type Needs = ReturnType<typeof accessNeeds>

const minuteMs = 60_000
const hourMs = 60 * minuteMs

function start(needs: Needs) {
  const sessions = createBrowserSessions(needs)
  onTestFinished(() => sessions.stop())
  const claimsOf = (claims: Partial<Claims> = {}): Claims => ({
    sub: 'ada',
    role: 'agent',
    scope: {},
    iat: 0,
    ...claims,
  })
  return { sessions, create: (claims?: Partial<Claims>) => sessions.create(claimsOf(claims)) }
}

onEachEngine('a session is found by its cookie, of which only the digest is stored', async (db) => {
  const needs = accessNeeds(db)
  const { sessions, create } = start(needs)
  const { cookie, csrf } = await create()

  expect(await sessions.find(cookie)).toMatchObject({ claims: { sub: 'ada', role: 'agent' } })
  expect(await sessions.find(csrf)).toBeUndefined()
  const [id = ''] = await listOldest(db, { limit: 5 })
  expect(await sessions.find(id)).toBeUndefined()
  expect([cookie, csrf]).not.toContain(id)
})

onEachEngine('a session ends with its credential, at the latest after twelve hours', async (db) => {
  const needs = accessNeeds(db)
  const { create } = start(needs)
  const now = needs.host.now().getTime()

  expect(await create({ exp: now / 1000 + 60 })).toMatchObject({
    expiresAt: new Date(now + minuteMs).toISOString(),
    maxAgeSeconds: 60,
  })
  expect((await create({ exp: 9e9 })).expiresAt).toBe(new Date(now + 12 * hourMs).toISOString())
})

onEachEngine('a session without a call for two hours ends; each call keeps it', async (db) => {
  const needs = accessNeeds(db)
  const { sessions, create } = start(needs)
  const [used, idle] = [await create(), await create()]
  const call = async () => {
    const found = await sessions.find(used.cookie)
    await sessions.stop()
    return found
  }
  for (let hours = 1; hours <= 11; hours++) {
    needs.host.advance(hourMs)
    expect(await call()).toBeDefined()
  }

  expect(await sessions.find(idle.cookie)).toBeUndefined()
  needs.host.advance(hourMs)
  expect(await call()).toBeUndefined()
  expect(await countSessions(db)).toBe(0)
})

onEachEngine('a revoked key ends its sessions at the next call, and their streams', async (db) => {
  const needs = accessNeeds(db)
  const { sessions, create } = start(needs)
  const { row } = await createKey(needs, makerOf(), keyBody.parse({ name: 'laptop' }))
  const { cookie } = await create({ key: row.id })
  const live = await sessions.find(cookie)

  await revoke(needs, { name: 'ada' }, row.id)

  expect(live?.revoked.aborted).toBe(true)
  expect(await sessions.find(cookie)).toBeUndefined()
  expect(await countSessions(db)).toBe(0)
})

onEachEngine('an ended session is refused at once and ends its streams', async (db) => {
  const { sessions, create } = start(accessNeeds(db))
  const { cookie } = await create()
  const live = await sessions.find(cookie)

  await sessions.end(live?.id ?? '')

  expect(live?.revoked.aborted).toBe(true)
  expect(await sessions.find(cookie)).toBeUndefined()
})

onEachEngine('the oldest of sixteen sessions of a subject goes', async (db) => {
  const needs = accessNeeds(db)
  const { sessions, create } = start(needs)
  const other = await create({ sub: 'bob' })
  const cookies: string[] = []
  for (let count = 0; count < 17; count++) {
    cookies.push((await create()).cookie)
    needs.host.advance(1)
  }

  expect(await sessions.find(cookies[0] ?? '')).toBeUndefined()
  expect(await sessions.find(cookies[1] ?? '')).toBeDefined()
  expect(await sessions.find(other.cookie)).toBeDefined()
  expect(await countSessions(db, 'ada')).toBe(16)
})

onEachEngine('the sweep deletes sessions that ended', async (db) => {
  const needs = accessNeeds(db)
  const { sessions, create } = start(needs)
  const seconds = needs.host.now().getTime() / 1000
  await create({ exp: seconds + 60 })
  const { cookie } = await create()
  const live = await sessions.find(cookie)

  needs.host.advance(hourMs)
  await sessions.sweep()
  expect(await countSessions(db)).toBe(1)
  needs.host.advance(hourMs)
  await sessions.sweep()
  expect(await countSessions(db)).toBe(0)
  expect(live?.revoked.aborted).toBe(true)
})
