import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { skillsSettings } from './config.ts'
import { skillsMigrations } from './migrations.ts'
import { createTestSkills, skillText, writeFiles } from './skills.fixture.ts'
import type { InvocationRow } from './store.ts'

const onEachEngine = testOnEachEngine(skillsMigrations)

test('skills are listed by name; folders without SKILL.md, links and hidden ones are not', async () => {
  const { folder, call } = await createTestSkills()
  expect(await call('skills.list')).toEqual({ skills: [], count: 0 })
  await writeFiles(join(folder, 'skills'), {
    'fill/SKILL.md': 'no frontmatter',
    'dig/SKILL.md': skillText,
    '.hidden/SKILL.md': skillText,
    'empty/notes.md': '',
  })
  await symlink(join(folder, 'skills', 'dig'), join(folder, 'skills', 'linked'))

  const path = join(folder, 'skills', 'dig')
  expect(await call('skills.list')).toMatchObject({
    count: 2,
    skills: [
      { name: 'dig', description: 'Digs holes', path },
      { name: 'fill', description: '' },
    ],
  })
  expect(await call('skills.read', { params: { name: 'dig' } })).toMatchObject({
    name: 'dig',
    content: skillText,
  })
})

test('a folder that cannot be read is an empty list with an error', async () => {
  const { folder, call } = await createTestSkills()
  await writeFile(join(folder, 'skills'), 'no folder')

  expect(await call('skills.list')).toMatchObject({
    skills: [],
    count: 0,
    error: expect.any(String),
  })
})

test.each(['', '..', 'a/b', 'a\\b', '.a', 'a\0', 'a..b'])(
  'the name %j is refused',
  async (name) => {
    const { call } = await createTestSkills()

    for (const route of ['skills.read', 'skills.delete'])
      await expect(call(route, { params: { name } })).rejects.toMatchObject({
        code: 'invalid_skill_name',
        message: 'Invalid skill name',
      })
  },
)

test('a skill is removed with its folder, and an unknown one is not found', async () => {
  const { folder, call } = await createTestSkills()
  await writeFiles(join(folder, 'skills', 'dig'), { 'SKILL.md': skillText, 'a/b.md': '' })
  const params = { name: 'dig' }

  expect(await call('skills.delete', { params })).toMatchObject({ success: true, name: 'dig' })
  expect(await readdir(join(folder, 'skills'))).toEqual([])
  for (const route of ['skills.read', 'skills.delete'])
    await expect(call(route, { params })).rejects.toMatchObject({
      code: 'skill_not_found',
      message: "Skill 'dig' not found",
    })
})

test('a link in the folder of skills is not removed', async () => {
  const { root, folder, call } = await createTestSkills()
  await writeFiles(join(root, 'outside'), { 'SKILL.md': skillText })
  await mkdir(join(folder, 'skills'))
  await symlink(join(root, 'outside'), join(folder, 'skills', 'dig'))

  await expect(call('skills.delete', { params: { name: 'dig' } })).rejects.toMatchObject({
    code: 'skill_not_found',
  })
  expect(await readdir(join(root, 'outside'))).toEqual(['SKILL.md'])
})

const search = (fetch: () => Promise<unknown>) =>
  createTestSkills({
    outbound: { fetch: fetch as never },
    config: () => skillsSettings.schema.parse({ registryUrl: 'https://registry.example/search' }),
  })
const answer =
  (value: unknown, status = 200) =>
  async () => ({
    status,
    body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  })

test('a search lists the registry before installed skills, each name once', async () => {
  const urls: string[] = []
  const skills = [
    { name: 'dig', description: 'Remote\u0007' },
    { name: 'drill', fullName: 'ann/drill', installs: 7 },
    { name: '' },
    5,
  ]
  const { folder, call } = await search((async (url: string) => {
    urls.push(url)
    return answer({ skills })()
  }) as never)
  await writeFiles(join(folder, 'skills'), {
    'dig/SKILL.md': skillText,
    'digger/SKILL.md': skillText,
    'fill/SKILL.md': '---\ndescription: Fills\n---\n',
  })

  expect(await call('skills.search', { query: { q: 'dig & co' } })).toMatchObject({
    results: [
      { name: 'dig', description: 'Remote', installed: true },
      { name: 'drill', fullName: 'ann/drill', installs: 7, installed: false },
    ],
  })
  expect(urls).toEqual(['https://registry.example/search?q=dig+%26+co'])
  expect(await call('skills.search', { query: { q: 'hole' } })).toMatchObject({
    results: [{ name: 'dig' }, { name: 'drill' }, { name: 'digger', installed: true }],
  })
})

test.each([
  ['does not answer', () => Promise.reject(new Error('offline'))],
  ['answers an error', answer({}, 500)],
  ['answers text', answer('no JSON')],
  ['answers a list', answer([])],
])('a search finds installed skills while the registry %s', async (_, fetch) => {
  const { folder, call } = await search(fetch)
  await writeFiles(join(folder, 'skills'), { 'dig/SKILL.md': skillText })

  expect(await call('skills.search', { query: { q: 'DIG' } })).toEqual({
    results: [{ name: 'dig', description: 'Digs holes', installed: true }],
  })
})

test('a search without words is refused', async () => {
  const { call } = await createTestSkills()

  expect(await call('skills.search')).toMatchObject({
    status: 400,
    body: { results: [], error: 'q is required' },
  })
})

async function analyticsFixture(db: Db) {
  const host = manualClockHost()
  const fixture = await createTestSkills({ db, host })
  let ids = 0
  const save = (more: Partial<InvocationRow> = {}) =>
    fixture.skills.invocations.save({
      id: String(ids++),
      agentId: 'ada',
      harness: 'codex',
      sessionKey: 'one',
      skillName: 'dig',
      toolUseId: null,
      latencyMs: null,
      success: 1,
      errorText: null,
      cwd: '/farm',
      origin: 'model',
      createdAt: host.now().toISOString(),
      ...more,
    })
  const read = (query: object = {}, agentId = 'ada') =>
    fixture.call('skills.analytics', {
      caller: callerFor(agentId),
      query: { limit: 10, ...query },
    })
  return { ...fixture, host, save, read }
}

onEachEngine('uses are counted by name in lower case, for one agent and period', async (db) => {
  const { save, read } = await analyticsFixture(db)
  expect(await read()).toEqual({
    totalCalls: 0,
    successRate: 0,
    topSkills: [],
    latency: { p50: 0, p95: 0 },
  })
  for (const latencyMs of [10, 20, 31]) await save({ latencyMs, skillName: 'Dig' })
  await save({ success: 0, createdAt: '2026-01-03T00:00:00.000Z' })
  await save({ skillName: 'fill', latencyMs: 100 })
  await save({ skillName: 'bake' })
  await save({ agentId: 'bob', skillName: 'secret' })

  expect(await read()).toEqual({
    totalCalls: 6,
    successRate: 0.833,
    topSkills: [
      { skillName: 'dig', count: 4, successCount: 3, avgLatencyMs: 20 },
      { skillName: 'bake', count: 1, successCount: 1, avgLatencyMs: 0 },
      { skillName: 'fill', count: 1, successCount: 1, avgLatencyMs: 100 },
    ],
    latency: { p50: 20, p95: 100 },
  })
  expect(await read({ limit: 1 })).toMatchObject({ topSkills: [{ skillName: 'dig' }] })
  expect(await read({ since: '2026-01-03T00:00:00.000Z' })).toMatchObject({
    totalCalls: 1,
    successRate: 0,
  })
})

onEachEngine('a repeated use is saved once, also by concurrent calls', async (db) => {
  const { save, read } = await analyticsFixture(db)
  const saved = await Promise.all([save({ toolUseId: 'u1' }), save({ toolUseId: 'u1' })])

  expect(saved.toSorted()).toEqual([false, true])
  expect(await save({ toolUseId: 'u1', harness: 'gemini' })).toBe(true)
  expect(await read()).toMatchObject({ totalCalls: 2 })
})

onEachEngine('uses are deleted after ninety days and with their agent', async (db) => {
  const { host, save, skills, read } = await analyticsFixture(db)
  await save()
  host.advance(90 * 86_400_000)
  await save()
  await skills.sweep()
  expect(await read()).toMatchObject({ totalCalls: 2 })
  host.advance(1)
  await skills.sweep()
  expect(await read()).toMatchObject({ totalCalls: 1 })
  await skills.agentRemoval.archive(db, 'ada')
  expect(await read()).toMatchObject({ totalCalls: 0 })
})

onEachEngine('a token of one project reads no counts', async (db) => {
  const { call } = await analyticsFixture(db)
  const caller = { ...callerFor('ada'), scope: { project: 'farm' } }

  await expect(call('skills.analytics', { caller, query: { limit: 10 } })).rejects.toMatchObject({
    code: 'out_of_scope',
  })
})
