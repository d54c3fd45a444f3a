import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())

const rounds = 6
const ask = (call: string, body?: object) =>
  service.ask(call, { role: 'admin', ...(body && { body }) })

/** A call that a kill interrupts has no reply. */
const attempt = (call: string, body?: object) => ask(call, body).catch(() => undefined)

test('a kill during writes and rotations loses no acknowledged secret', async () => {
  expect(await ask('POST /api/secrets/KEY', { value: 'value of KEY' })).toMatchObject({
    status: 200,
  })
  const acknowledged = ['KEY']
  for (let round = 0; round < rounds; round++) {
    const killAfter = 1 + round * 3
    let answered = 0
    const calls = Array.from({ length: 24 }, async (_, index) => {
      const name = `KEY_${round}_${index}`
      const isRotation = index % 3 === 1
      const reply = isRotation
        ? await attempt('POST /api/secrets/vault-local/rotate-key')
        : await attempt(`POST /api/secrets/${name}`, { value: `value of ${name}` })
      if (reply?.status === 200 && !isRotation) acknowledged.push(name)
      if (++answered === killAfter) await service.kill()
    })
    await Promise.all(calls)
    await service.kill()
    await service.restart()

    const { secrets } = (await ask('GET /api/secrets')).body
    expect(secrets).toEqual(expect.arrayContaining(acknowledged))
    expect((await ask('GET /api/secrets/vault-local/status')).body).toMatchObject({
      state: 'ready',
      unreadable: 0,
    })
    const files = await readdir(join(service.workspace, '.secrets'))
    expect(files.filter((name) => name === 'key.next')).toEqual([])
  }
  expect(acknowledged.length).toBeGreaterThan(rounds)
}, 120_000)
