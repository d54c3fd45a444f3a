import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const regenerate = () => service.ask('POST /api/harnesses/regenerate', { role: 'admin' })

describe('listing the harnesses', () => {
  test('works', async () => {
    const { status, body } = await service.ask('GET /api/harnesses', { role: 'readonly' })

    expect(status).toBe(200)
    expect(body['harnesses']).toContainEqual({
      id: 'openclaw',
      name: 'OpenClaw',
      exists: false,
      lastSeen: null,
      path: join(service.workspace, 'AGENTS.md'),
    })
  })

  test('works: tells when a session of each was heard of last, also when it has ended', async () => {
    const seen = async () => {
      const { body } = await service.ask('GET /api/harnesses')
      const listed = body['harnesses'] as { id: string; lastSeen: string | null }[]
      return listed.find(({ id }) => id === 'gemini')?.lastSeen
    }
    const hook = (name: string) =>
      service.ask(`POST /api/hooks/${name}`, { body: { harness: 'gemini', sessionKey: 'g1' } })

    expect(await seen()).toBe(null)
    await hook('session-start')
    const begun = await seen()
    expect(begun).toMatch(/^\d{4}-/)
    await hook('session-end')
    expect((await seen()) ?? '').toSatisfy((ended: string) => ended >= (begun ?? ''))
  })
})

describe('regenerating their files', () => {
  test('is refused where there is no script', async () => {
    expect(await regenerate()).toMatchObject({
      status: 404,
      body: { success: false, error: 'Regeneration script not found', code: 'script_missing' },
    })
  })

  test('works, and tells when the script fails', async () => {
    const folder = join(service.workspace, 'scripts')
    const write = (text: string) => writeFile(join(folder, 'generate-harness-configs.py'), text)
    await mkdir(folder)

    await write('print("written")')
    expect(await regenerate()).toMatchObject({
      status: 200,
      body: { success: true, output: 'written\n' },
    })
    await write('raise SystemExit(3)')
    expect(await regenerate()).toMatchObject({
      status: 500,
      body: { success: false, error: expect.stringContaining('code 3') },
    })
    await removeFolder(folder)
  })

  test('who may: only an admin', async () => {
    const reply = await service.ask('POST /api/harnesses/regenerate', { role: 'operator' })

    expect(reply.status).toBe(403)
  })
})
