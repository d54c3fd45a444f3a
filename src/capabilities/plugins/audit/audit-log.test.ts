import { appendFile, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '../../../kernel/log/log.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import type { AuditEntry } from './audit-event.ts'
import { createAuditLog } from './audit-log.ts'

const start = Date.parse('2026-01-02T03:04:05.000Z')

async function createTestAudit(maxBytes?: number) {
  const folder = await temporaryFolder()
  let seconds = 0
  const host = { now: () => new Date(start + 1000 * seconds++), random: () => 0.5 }
  const audit = createAuditLog({
    host,
    log: createLog('silent'),
    folder,
    ...(maxBytes !== undefined && { maxBytes }),
  })
  return { folder, audit, file: join(folder, 'audit-v1.ndjson') }
}

const entry = (data: AuditEntry['data'], pluginId = 'svc.secrets'): AuditEntry => ({
  event: 'secret.stored',
  pluginId,
  result: 'ok',
  source: 'secrets-provider',
  agentId: 'ada',
  data,
})

const key = ['ghp', 'A'.repeat(36)].join('_')

test('fields with the name of a credential and texts in its form are redacted', async () => {
  const { audit, file } = await createTestAudit()
  const jobId = '0195f3a0-1111-7222-8333-444455556666'
  audit.add(
    entry({
      name: 'GITHUB_TOKEN',
      jobId,
      apiKey: 'moss-4711',
      Authorization: 'moss-4712',
      client_secret: 'moss-4713',
      value: 'moss-4714',
      bearer: 'moss-4715',
      nested: [{ refreshToken: 'moss-4716', note: `see ${key}` }],
      text: 'token=moss-4717-abcdef',
    }),
  )
  const [event] = await audit.list({ limit: 10 })

  expect(event).toMatchObject({ agentId: 'ada', data: { name: 'GITHUB_TOKEN', jobId } })
  expect(event?.id).toMatch(/^[0-9a-z]+-[0-9a-z]{8}$/)
  for (const text of [JSON.stringify(event), await readFile(file, 'utf8')]) {
    expect(text).not.toMatch(/moss-/)
    expect(text).not.toContain(key)
  }
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('lines that others wrote are redacted at read, and broken lines are skipped', async () => {
  const { audit, file } = await createTestAudit()
  audit.add(entry({ name: 'A' }))
  await audit.flush()
  const [line = ''] = (await readFile(file, 'utf8')).split('\n')
  await appendFile(file, `{broken\n${line.replace('"A"', `"${key}"`)}\n`)

  const events = await audit.list({ limit: 10 })
  expect(events.map(({ data }) => data['name'])).toEqual(['[REDACTED]', 'A'])
})

test('events are filtered by plugin, name and time, newest first', async () => {
  const { audit } = await createTestAudit()
  for (const [index, id] of ['a.b', 'c.d', 'a.b', 'a.b'].entries()) audit.add(entry({ index }, id))
  const indexes = async (query: object) =>
    (await audit.list({ limit: 10, ...query })).map(({ data }) => data['index'])
  const at = (seconds: number) => new Date(start + 1000 * seconds).toISOString()

  expect(await indexes({})).toEqual([3, 2, 1, 0])
  expect(await indexes({ pluginId: 'a.b', limit: 2 })).toEqual([3, 2])
  expect(await indexes({ since: at(1), until: at(2) })).toEqual([2, 1])
  expect(await indexes({ event: 'secret.deleted' })).toEqual([])
})

test('files are rotated, five are retained, and all are read', async () => {
  const { folder, audit } = await createTestAudit(1_000)
  for (let index = 0; index < 60; index++) {
    audit.add(entry({ index, note: 'word '.repeat(20) }))
    await audit.flush()
  }
  const files = (await readdir(folder)).toSorted()
  const indexes = (await audit.list({ limit: 500 })).map(({ data }) => Number(data['index']))

  expect(files).toHaveLength(5)
  expect(indexes[0]).toBe(59)
  expect(indexes).toEqual(indexes.map((_, position) => 59 - position))
  expect(indexes.length).toBeGreaterThan(10)
})

test('a file of many blocks is read to its beginning', async () => {
  const { audit } = await createTestAudit()
  for (let index = 0; index < 900; index++) audit.add(entry({ index, note: 'ü'.repeat(400) }))
  const indexes = (await audit.list({ limit: 1_000 })).map(({ data }) => data['index'])

  expect(indexes).toEqual(Array.from({ length: 900 }, (_, index) => 899 - index))
})

test('a name that appears after a search for it is found, also in rotated files and after a restart', async () => {
  const { audit, file, folder } = await createTestAudit(20_000)
  const note = 'ü'.repeat(400)
  const addOthers = async (count: number) => {
    for (let index = 0; index < count; index++) {
      audit.add(entry({ note }))
      await audit.flush()
    }
  }
  const find = async () => (await audit.list({ limit: 10, pluginId: 'rare.one' })).length

  await addOthers(50)
  expect(await find()).toBe(0)
  audit.add(entry({ note }, 'rare.one'))
  expect(await find()).toBe(1)
  await addOthers(40)
  expect(await readFile(file, 'utf8')).not.toContain('rare.one')
  expect(await find()).toBe(1)
  const host = { now: () => new Date(start), random: () => 0.5 }
  const restarted = createAuditLog({ host, log: createLog('silent'), folder })
  expect(await restarted.list({ limit: 10, pluginId: 'rare.one' })).toHaveLength(1)
})

test('a line that others complete later is found', async () => {
  const { audit, file } = await createTestAudit()
  audit.add(entry({ name: 'A' }))
  await audit.flush()
  const [line = ''] = (await readFile(file, 'utf8')).split('\n')
  const other = line.replace('svc.secrets', 'rare.one')
  const cut = other.indexOf('rare.one') + 4
  await appendFile(file, other.slice(0, cut))
  expect(await audit.list({ limit: 10, pluginId: 'rare.one' })).toEqual([])
  await appendFile(file, `${other.slice(cut)}\n`)
  expect(await audit.list({ limit: 10, pluginId: 'rare.one' })).toHaveLength(1)
})
