import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { type Ask, startService } from '../support/start-service.ts'

const home = await mkdtemp(join(tmpdir(), 'reverie-notes-'))
const service = await startService({ env: { CODEX_HOME: home } })
afterAll(async () => {
  await service.stop()
  await removeFolder(home)
})

const folder = join(home, 'memories', 'extensions', 'ad_hoc', 'notes')
const write = (body: unknown, ask: Ask = {}) =>
  service.ask('POST /api/memory/codex-native-note', { body, ...ask })

describe('a note for the harness', () => {
  test('writes one private file, named by time and title', async () => {
    const note = { content: ' Water the ferns. \n', title: 'Ferns & "Más"', tags: 'garden, daily' }

    const { status, body } = await write(note)

    expect({ status, ok: body['ok'] }).toEqual({ status: 200, ok: true })
    const path = String(body['path'])
    expect(path.slice(folder.length + 1)).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-ferns-ma-s\.md$/,
    )
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const [, front, text] = (await readFile(path, 'utf8')).split(/^---\n/m)
    expect(front?.split('\n')).toEqual([
      expect.stringMatching(/^source: \w+$/),
      expect.stringMatching(/^created_at: \d{4}-.*Z$/),
      'title: "Ferns & \\"Más\\""',
      'tags: ["garden","daily"]',
      '',
    ])
    expect(text).toBe('\nWater the ferns.\n')
  })

  test('writes concurrent notes to separate files', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => write({ content: 'same' })))

    const paths = replies.map(({ body }) => String(body['path']))
    expect(new Set(paths).size).toBe(20)
    expect([...new Set(paths.map(dirname))]).toEqual([folder])
  })

  test('a title cannot leave the folder', async () => {
    const title = '../../../../etc/passwd\n---\nsource: elsewhere'
    const { body } = await write({ content: 'x', title })

    expect(dirname(String(body['path']))).toBe(folder)
    const text = await readFile(String(body['path']), 'utf8')
    expect(text.match(/^---$/gm)).toHaveLength(2)
    expect(text.match(/^source: /gm)).toHaveLength(1)
  })

  test.each([
    [{}, 'content is required'],
    [{ content: ' \n' }, 'content is required'],
    [{ content: 'x'.repeat(8001) }, 'content must be at most 8000 characters'],
  ])('refuses %#', async (body, error) => {
    expect(await write(body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', error },
    })
  })

  test('requires the permission remember', async () => {
    expect((await write({ content: 'by an agent' }, { role: 'agent' })).status).toBe(200)
    expect((await write({ content: 'by a reader' }, { role: 'readonly' })).status).toBe(403)
  })
})
