import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { expectNoLeak } from '../support/expect-no-leak.ts'
import { removeFolder } from '../support/make-folder.ts'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startService({ config: { skills: { registryUrl: '' } } })
const outside = await mkdtemp(join(tmpdir(), 'reverie-skills-'))
afterAll(async () => {
  await service.stop()
  await removeFolder(outside)
})

const value = ['synthetic', 'Spade/Rake+Hoe~', '6130'].join('-')
const replies: string[] = []
async function admin(call: string, more: Ask = {}) {
  const reply = await service.ask(call, { role: 'admin', ...more })
  replies.push(JSON.stringify(reply.body))
  return reply
}
await admin('POST /api/secrets/SPADE_TOKEN', { body: { value } })
const source = join(outside, 'dig')
await mkdir(source)
await writeFile(join(source, 'SKILL.md'), '---\nname: dig\ndescription: Digs holes\n---\nDig.\n')
const install = (more: object = {}) =>
  admin('POST /api/skills/install', { body: { name: 'dig', source, ...more } })

test('a skill is installed from a folder, listed, found, read and removed', async () => {
  expect((await service.ask('GET /api/skills')).body).toEqual({ skills: [], count: 0 })
  expect((await install()).body).toMatchObject({ success: true, name: 'dig' })

  const path = join(service.workspace, 'skills', 'dig')
  const { body } = await service.ask('GET /api/skills', { role: 'readonly' })
  expect(body).toMatchObject({
    count: 1,
    skills: [{ name: 'dig', description: 'Digs holes', path }],
  })
  const { body: read } = await service.ask('GET /api/skills/dig')
  expect(read).toMatchObject({ name: 'dig', content: expect.stringContaining('Dig.') })
  expect((await service.ask('GET /api/skills/search?q=HOLES')).body).toEqual({
    results: [{ name: 'dig', description: 'Digs holes', installed: true }],
  })
  const { body: health } = await admin('GET /health/ready')
  expect(JSON.stringify(health)).toContain('"installed":1')

  expect((await admin('DELETE /api/skills/dig')).body).toMatchObject({ success: true, name: 'dig' })
  expect(await service.ask('GET /api/skills/dig')).toMatchObject({
    status: 404,
    body: { error: "Skill 'dig' not found", code: 'skill_not_found' },
  })
})

test('a hostile package answers 500 and leaves nothing', async () => {
  await symlink('/etc/hostname', join(source, 'link'))
  const reply = await install()

  expect([reply.status, reply.body]).toEqual([
    500,
    { success: false, error: expect.stringContaining('link') },
  ])
  expect(await readdir(join(service.workspace, 'skills'))).toEqual([])
})

test.each([
  ['GET /api/skills/..%2Fx', undefined, 400, 'Invalid skill name'],
  ['GET /api/skills/a%5Cb', undefined, 400, 'Invalid skill name'],
  ['DELETE /api/skills/.hidden', undefined, 400, 'Invalid skill name'],
  ['DELETE /api/skills/none', undefined, 404, "Skill 'none' not found"],
  ['POST /api/skills/install', {}, 400, 'name is required'],
  ['POST /api/skills/install', { name: 'a', source: '-g' }, 400, 'source must be'],
  ['POST /api/skills/install', { name: 'a', source: 'https://a.example' }, 400, 'source must be'],
  ['GET /api/skills/search', undefined, 400, 'q is required'],
  ['GET /api/skills/analytics?since=2026-01-01', undefined, 400, 'ends with Z'],
])('%s with %j is refused with %i', async (call, body, status, message) => {
  const reply = await admin(call, body && { body })

  expect([reply.status, reply.body['error']]).toEqual([status, expect.stringContaining(message)])
})

test('uses that hooks report are counted for their agent', async () => {
  const report = (toolUseId: string, more: object = {}) =>
    service.ask('POST /api/hooks/skill-invocation', {
      agent: 'skilled',
      body: { harness: 'codex', skillName: 'Dig', sessionKey: 's1', toolUseId, ...more },
    })
  expect((await report('u1', { latencyMs: 40, cwd: '/farm' })).body).toEqual({ recorded: true })
  expect((await report('u1', { latencyMs: 40 })).body).toEqual({ recorded: true })
  await report('u2', { success: false })
  const read = (agent: string) => service.ask('GET /api/skills/analytics', { agent })

  expect((await read('skilled')).body).toEqual({
    totalCalls: 2,
    successRate: 0.5,
    topSkills: [{ skillName: 'dig', count: 2, successCount: 1, avgLatencyMs: 40 }],
    latency: { p50: 40, p95: 40 },
  })
  expect((await read('unskilled')).body).toMatchObject({ totalCalls: 0 })
})

test('a stored secret is in no reply, file, table or log', async () => {
  await expectNoLeak(service, [value], replies)
})
