import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '../../../kernel/log/log.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import { manualClockHost } from '../../../kernel/testing/manual-clock-host.ts'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { type UpdatesConfig, updatesSettings } from '../config.ts'
import { createCycle } from '../cycle.ts'
import { updateDomain, updateHealth } from '../health.ts'
import { createState } from '../state.ts'
import { createCheck } from './check.ts'

const registry = 'https://registry.example'
const listing = 'https://releases.example/latest.json'
const source = { package: '@garden/reverie', registry }

/** A check against sources that reply with these documents. */
async function checking(config: Partial<UpdatesConfig>, documents: Record<string, unknown>) {
  const host = manualClockHost()
  const folder = await temporaryFolder()
  const urls: string[] = []
  const settings = { ...updatesSettings.schema.parse({}), ...config }
  const fetch: Outbound['fetch'] = async (url) => {
    urls.push(url)
    const found = documents[url]
    const body = Buffer.from(typeof found === 'string' ? found : JSON.stringify(found ?? {}))
    return { url, status: found === undefined ? 404 : 200, headers: {}, body }
  }
  const unused = () => {
    throw new Error('not used')
  }
  const state = createState(folder)
  const base = {
    host,
    folder,
    state,
    log: createLog('silent'),
    version: '1.0.0',
    script: join(folder, 'bin', 'reverie'),
    config: () => settings,
    outbound: { fetch, open: unused as Outbound['open'] },
    children: { add: async () => async () => {} },
    locks: { withLock: unused as never },
    settings: { examine: unused as never, reload: unused as never },
    variables: () => ({}),
    pass: () => [],
    stopping: new AbortController().signal,
  }
  const needs = { ...base, check: createCheck(base) }
  return { needs, host, urls, documents, settings, folder, check: needs.check }
}

const packument = (tags: Record<string, string>) => ({
  name: '@garden/reverie',
  'dist-tags': tags,
  versions: {},
  time: { '1.2.0': '2026-01-02T03:04:05Z' },
})
const inRegistry = `${registry}/@garden%2Freverie`

test('without a source no request leaves', async () => {
  const { check, needs, urls } = await checking({}, {})

  expect(await check({ force: true })).toMatchObject({
    currentVersion: '1.0.0',
    latestVersion: null,
    updateAvailable: false,
    checkError: 'no update source is configured',
  })
  await createCycle(needs).run()
  expect(urls).toEqual([])
})

test('a release of the listing wins, and a draft falls back to the registry', async () => {
  const release = { tag_name: 'v1.1.0', html_url: 'https://releases.example/1.1.0', body: 'Moss' }
  const { check, documents, urls } = await checking(
    { ...source, release_listing: listing },
    { [listing]: release, [inRegistry]: packument({ latest: '1.2.0' }) },
  )
  expect(await check({ force: false })).toMatchObject({
    latestVersion: '1.1.0',
    updateAvailable: true,
    releaseUrl: 'https://releases.example/1.1.0',
    releaseNotes: 'Moss',
    cached: false,
    isMajorUpgrade: false,
  })
  documents[listing] = { ...release, draft: true }
  expect(await check({ force: true })).toMatchObject({
    latestVersion: '1.2.0',
    publishedAt: '2026-01-02T03:04:05.000Z',
  })
  expect(urls).toEqual([listing, listing, inRegistry])
})

test('the nightly channel never reads the listing', async () => {
  const { check, urls } = await checking(
    { ...source, release_listing: listing, channel: 'nightly' },
    { [inRegistry]: packument({ next: '2.0.0-next.1' }) },
  )
  expect(await check({ force: false })).toMatchObject({
    latestVersion: '2.0.0-next.1',
    isMajorUpgrade: true,
  })
  expect(urls).toEqual([inRegistry])
})

test('a check is cached for an hour, and a failed one for a minute', async () => {
  const { check, documents, host, urls } = await checking(source, {
    [inRegistry]: packument({ latest: '1.2.0' }),
  })
  await Promise.all([check({ force: false }), check({ force: false })])
  expect((await check({ force: false })).cached).toBe(true)
  expect(urls).toHaveLength(1)

  host.advance(3_600_000)
  documents[inRegistry] = '<html>'
  expect(await check({ force: false })).toMatchObject({
    latestVersion: '1.2.0',
    checkError: 'the source replied with text that is not JSON',
    cached: false,
  })
  expect(await check({ force: false })).toMatchObject({ cached: true })
  host.advance(60_000)
  await check({ force: false })
  expect(urls).toHaveLength(3)
})

test('what is known survives a restart, without credentials in the notes', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const { check, folder } = await checking(
    { release_listing: listing },
    { [listing]: { tag_name: '1.5.0', body: `token ${token}`, html_url: 'javascript:alert(1)' } },
  )
  await check({ force: false })
  const state = createState(folder)
  await state.load()

  expect(state.read().releases.stable).toMatchObject({ version: '1.5.0', releaseUrl: null })
  expect(JSON.stringify(state.read())).not.toContain(token)
})

test('a major version waits for a person, and the domain reports it', async () => {
  const { needs, settings } = await checking(
    { ...source, auto_install: true },
    { [inRegistry]: packument({ latest: '2.0.0' }) },
  )
  await createCycle(needs).run()

  expect(needs.state.read().lastAutoUpdateError).toContain('2.0.0 is a new major version')
  const { findings } = await updateDomain(needs).check()
  expect(findings).toMatchObject([{ code: 'auto_update_failed', penalty: 0.4 }])
  expect((await updateHealth(needs).check()).status).toBe('degraded')
  settings.auto_install = false
  expect((await updateDomain(needs).check()).findings).toMatchObject([
    { code: 'update_available', penalty: 0.1, fix: { command: 'reverie upgrade' } },
  ])
})

test('automatic updates check at the interval only', async () => {
  const { host, needs, urls } = await checking(
    { ...source, auto_install: true, check_interval: 600 },
    { [inRegistry]: packument({ latest: '1.0.0' }) },
  )
  const cycle = createCycle(needs)
  await cycle.run()
  await cycle.run()
  expect(urls).toHaveLength(1)
  host.advance(600_000)
  await cycle.run()
  expect(urls).toHaveLength(2)
})
