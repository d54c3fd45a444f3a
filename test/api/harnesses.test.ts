import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()
const regenerate = () => service.ask('POST /api/harnesses/regenerate', { role: 'admin' })

describe('list harnesses', () => {
  test('lists the harnesses with their files', async () => {
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

  test('reports the last activity of a harness, also after its session ended', async () => {
    const lastSeen = async () => {
      const { body } = await service.ask('GET /api/harnesses')
      const listed = body['harnesses'] as { id: string; lastSeen: string | null }[]
      return listed.find(({ id }) => id === 'gemini')?.lastSeen
    }
    const hook = (name: string) =>
      service.ask(`POST /api/hooks/${name}`, { body: { harness: 'gemini', sessionKey: 'g1' } })

    expect(await lastSeen()).toBe(null)
    await hook('session-start')
    const startedAt = await lastSeen()
    expect(startedAt).toMatch(/^\d{4}-/)
    await hook('session-end')
    expect((await lastSeen()) ?? '').toSatisfy((ended: string) => ended >= (startedAt ?? ''))
  })
})

describe('regenerate files', () => {
  test('refuses a missing script', async () => {
    expect(await regenerate()).toMatchObject({
      status: 404,
      body: { success: false, error: 'Regeneration script not found', code: 'script_missing' },
    })
  })

  test('returns the output of the script, or its failure', async () => {
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

  test('refuses callers other than administrators', async () => {
    const reply = await service.ask('POST /api/harnesses/regenerate', { role: 'operator' })

    expect(reply.status).toBe(403)
  })
})
