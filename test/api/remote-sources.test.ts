import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { guildId, messageAt, startFakeChat } from '../support/fake-chat.ts'
import { startFakeCodeHost } from '../support/fake-code-host.ts'
import { createSimpleCache } from '../support/fake-desktop-cache.ts'
import { startFakeWebsite } from '../support/fake-website.ts'
import { pageId, paragraph, startFakeWiki } from '../support/fake-wiki.ts'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

const website = await startFakeWebsite()
const token = ['synthetic', 'token', 'of', 'an', 'origin'].join('-')
const codeHost = await startFakeCodeHost(token)
const wiki = await startFakeWiki(token)
const chat = await startFakeChat(token)
const origins = [website, codeHost, wiki, chat]
const service = await startService({
  config: {
    outbound: { allow: origins.map(({ url }) => url) },
    sources: {
      codeHost: { apiUrl: codeHost.url },
      wiki: { apiUrl: wiki.url },
      chat: { apiUrl: chat.url },
    },
  },
})
afterAll(async () => {
  await service.stop()
  for (const origin of origins) await origin.stop()
})

type Body = Readonly<Record<string, unknown>>

/** A daemon that starts begins its runs after some seconds. */
const waiting = { timeout: 40_000, interval: 50 }

const read = async (id: string) => Object((await service.ask(`GET /api/sources/${id}`)).body).source

/** Adds a source and waits for the end of its run. */
async function add(kind: string, body: Body) {
  const added = await service.ask(`POST /api/sources/${kind}`, { body })
  expect([added.status, added.body['error']]).toEqual([202, undefined])
  const id = String(Object(added.body['source']).id)
  await untilEnded(id)
  if (Object(added.body['job']).status === 'running') await indexAgain(id)
  return { id, added: added.body }
}

/** Waits for a run that begins after the request: an active one may have read the secret before. */
async function indexAgain(id: string): Promise<Body> {
  const { body } = await service.ask(`POST /api/sources/${id}/index`)
  const ended = await untilEnded(id)
  return Object(body['job']).status === 'running' ? indexAgain(id) : ended
}

const untilEnded = (id: string) =>
  vi.waitFor(async () => {
    const { indexJob } = await read(id)
    expect(['complete', 'failed', 'paused']).toContain(indexJob.status)
    return indexJob
  }, waiting)

/** The index follows the database a moment later. */
const untilFound = (query: string, path: string) =>
  vi.waitFor(async () => {
    const reply = await service.ask('POST /api/memory/recall', { body: { query } })
    const rows = reply.body['results'] as Body[]
    expect(rows.map((row) => row['source_path'])).toContain(path)
    return rows.find((row) => row['source_path'] === path)
  }, waiting)

describe('a web source', () => {
  test('is indexed, found, read again when it changes, and deleted without a trace', async () => {
    const words = 'The zymurgist ferments heather honey in oak.'
    website.put('/guide/', { text: words, links: ['next'] })
    website.put('/guide/next', { text: 'The cooper repairs the staves.' })
    const url = `${website.url}/guide/`
    const { id, added } = await add('web', { url, name: 'Guide', maxPages: 5 })
    expect(added).toMatchObject({
      created: true,
      indexed: 0,
      queued: true,
      source: { kind: 'web', name: 'Guide', root: url, providerSettings: { url, maxPages: 5 } },
    })

    expect(await untilFound('what does the zymurgist ferment', url)).toMatchObject({
      source: 'source_web',
      source_id: id,
      type: 'source_chunk',
      trust: 'external',
      who: 'Guide',
    })
    website.put('/guide/', { text: 'The zymurgist now ferments birch sap.', links: ['next'] })
    expect(await indexAgain(id)).toMatchObject({ status: 'complete', scanned: 2 })
    await untilFound('birch sap', url)

    const preview = await service.ask(`DELETE /api/sources/${id}?dryRun=true`)
    expect(preview.body).toMatchObject({ dryRun: true, purged: { artifacts: 2, chunks: 2 } })
    expect((await read(id)).id).toBe(id)
    const { body } = await service.ask(`DELETE /api/sources/${id}`)
    expect(body).toMatchObject({ purged: { artifacts: 2, chunks: 2 } })
    await service.restart()
    expect(await listPlacesHolding(service, ['zymurgist', 'cooper'])).toEqual([])
  })

  test('posted again is updated', async () => {
    website.put('/again', { text: 'A page of a few words.' })
    const url = `${website.url}/again`
    const { id } = await add('web', { url })
    const { body } = await service.ask('POST /api/sources/web', { body: { url, name: 'Again' } })
    expect(body).toMatchObject({ created: false, source: { id, name: 'Again' } })
    await untilEnded(id)
  })

  test.each([
    [{}, 'url'],
    [{ url: 7 }, 'url must be text'],
    [{ url: 'page' }, 'url must be an http or https URL'],
    [{ url: 'https://ada:pw@site.example/' }, 'credentials'],
    [{ url: 'http://127.0.0.1:1/' }, 'not on the public internet'],
    [{ url: 'http://10.0.0.1/' }, 'not on the public internet'],
    [{ url: 'https://site.example/', maxPages: 501 }, 'maxPages must be at most 500'],
  ])('is refused with %j', async (body, error) => {
    expect(await service.ask('POST /api/sources/web', { body })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(error) },
    })
  })

  test('is added by operators with unscoped tokens alone', async () => {
    const body = { url: `${website.url}/again` }
    const call = 'POST /api/sources/web'
    const scope = { agent: 'ada' }
    expect(await service.ask(call, { body, role: 'readonly' })).toMatchObject({ status: 403 })
    expect(await service.ask(call, { body, scope })).toMatchObject({ status: 403 })
    expect(await service.ask(call, { body, role: 'anonymous' })).toMatchObject({ status: 401 })
  })
})

const storeToken = (value: string) =>
  service.ask('POST /api/secrets/HOST_TOKEN', { role: 'admin', body: { value } })

describe('a code host', () => {
  const { issues, files } = codeHost.repo('moss/garden')

  test('is indexed with the token of a secret, which stands in no file and no reply', async () => {
    await storeToken(token)
    issues.set(7, {
      number: 7,
      title: 'Ladder',
      body: 'The ladder wobbles on the cobblestones.',
      comments: ['Put a plank below it.'],
    })
    files.set('README.md', '# Garden\n\nThe espalier leans on the granary.')
    const { id, added } = await add('code-host', { repo: 'moss/garden', tokenRef: 'HOST_TOKEN' })
    expect(added).toMatchObject({
      created: true,
      source: {
        kind: 'code-host',
        name: 'moss/garden',
        root: 'code-host://repos/moss/garden',
        providerSettings: { repos: ['moss/garden'], tokenRef: 'HOST_TOKEN' },
      },
    })
    expect(await read(id)).toMatchObject({ stats: { artifacts: 3 }, health: { status: 'healthy' } })
    expect(
      await untilFound('what wobbles on the cobblestones', 'code-host://moss/garden/issues/7'),
    ).toMatchObject({ source: 'source_code_host', trust: 'external' })
    await untilFound('where is the espalier', 'code-host://moss/garden/docs/README.md')
    expect(codeHost.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`)

    expect(await listPlacesHolding(service, [token])).toEqual([])
  })

  test('with a refused token fails, names the secret, and is indexed with a new one', async () => {
    await storeToken(['another', 'synthetic', 'token'].join('-'))
    const { id } = await add('code-host', { repos: ['moss/garden'] })
    const { indexJob, stats } = await read(id)
    expect(indexJob).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^unauthorized: .* reverie secret put HOST_TOKEN/),
    })
    expect(stats).toMatchObject({ artifacts: 3 })

    await storeToken(token)
    expect(await indexAgain(id)).toMatchObject({ status: 'complete' })
    expect((await service.ask(`GET /api/sources/${id}/health`)).body).toMatchObject({
      health: { failures: { total: 0 }, status: 'healthy' },
    })
  })

  test.each([
    [{}, 'repos is required'],
    [{ repos: ['moss'] }, 'repos must be owner/name or owner/*'],
    [{ repos: ['../../x/y'] }, 'repos must be owner/name or owner/*'],
    [{ repo: 'a/b', tokenRef: `ghp_${'x'.repeat(36)}` }, 'the name of a secret, not a token'],
    [{ repo: 'a/b', tokenRef: 'two words' }, 'the name of a secret, not a token'],
    [{ repo: 'a/b', resourceTypes: ['discussions'] }, 'discussions need a token'],
    [{ repo: 'a/b', docPaths: ['/etc/passwd.md'] }, 'docPaths must be'],
  ])('is refused with %j', async (body, error) => {
    const reply = await service.ask('POST /api/sources/code-host', { body })
    expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } })
    expect(JSON.stringify(reply.body)).not.toContain('xxxx')
  })
})

describe('a wiki', () => {
  test('is indexed, follows removals, and is deleted', async () => {
    await storeToken(token)
    wiki.put(pageId(1), { title: 'Orchard', blocks: [paragraph('The medlars ripen in November.')] })
    wiki.put(pageId(2), { title: 'Shed', blocks: [paragraph('The scythe hangs on the left.')] })
    const { id, added } = await add('wiki', { tokenRef: 'HOST_TOKEN', maxPages: 20 })
    const { root } = Object(added['source'])
    expect(added).toMatchObject({
      created: true,
      source: { kind: 'wiki', name: 'Wiki', providerSettings: { tokenRef: 'HOST_TOKEN' } },
    })
    expect(
      await untilFound('when do the medlars ripen', `${root}/pages/${pageId(1)}`),
    ).toMatchObject({ source: 'source_wiki', trust: 'external', heading: 'Orchard' })

    wiki.remove(pageId(2))
    expect(await indexAgain(id)).toMatchObject({ status: 'complete' })
    expect(await read(id)).toMatchObject({ stats: { artifacts: 1 } })
    expect((await service.ask(`DELETE /api/sources/${id}`)).status).toBe(200)
  })

  test.each([
    [{}, 'tokenRef is required'],
    [{ tokenRef: '' }, 'tokenRef is required'],
    [{ tokenRef: `ntn_${'x'.repeat(40)}` }, 'the name of a secret, not a token'],
    [{ tokenRef: 'WIKI', maxPages: 0 }, 'maxPages must be at least 1'],
  ])('is refused with %j', async (body, error) => {
    const reply = await service.ask('POST /api/sources/wiki', { body })
    expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } })
  })
})

describe('a chat', () => {
  test('is indexed by days, and continues after a kill in the middle', async () => {
    await storeToken(token)
    const [one, two] = ['200000000000000001', '200000000000000002']
    const at = '2026-03-05T09:15:00.000Z'
    const messages = [messageAt(at, 'The pergola needs new rafters.')]
    chat.channels.set(one, { id: one, name: 'garden', type: 0, messages })
    const later = [messageAt(at, 'The gazebo is finished.')]
    chat.channels.set(two, { id: two, name: 'news', type: 0, messages: later })
    chat.fail(new RegExp(`channels/${two}/messages`), 'hang')
    const body = { guildId, tokenRef: 'HOST_TOKEN' }
    const added = await service.ask('POST /api/sources/chat', { body })
    expect(added.status).toBe(202)
    const { id } = Object(added.body['source'])
    const pathOf = (channel: string) =>
      `chat://guild/${guildId}/channel/${channel}/messages/2026-03-05`
    await untilFound('what does the pergola need', pathOf(one))
    // The next run would wait for the reply that never comes.
    await vi.waitFor(() => expect(chat.requests.at(-1)?.path).toContain(`${two}/messages`), waiting)

    await service.kill()
    await service.restart()
    expect(await untilEnded(id)).toMatchObject({ status: 'complete' })
    await untilFound('is the gazebo finished', pathOf(two))
    expect(await read(id)).toMatchObject({ health: { status: 'healthy' } })
  })

  test('the cache of the desktop app is read without a token or a request', async () => {
    const root = join(await makeFolder(), 'discord')
    const cache = await createSimpleCache(root)
    const one = '200000000000000001'
    const messages = [messageAt('2026-03-05T09:15:00.000Z', 'The weathervane points north.')]
    const url = `https://discord.com/api/v9/channels/${one}/messages?limit=50`
    await cache.put(1, { url, body: messages, encoding: 'br' })
    const before = chat.requests.length
    const body = { syncMode: 'desktop-cache', desktopCachePath: root }
    expect(await service.ask('POST /api/sources/chat', { body })).toMatchObject({ status: 202 })
    await untilFound(
      'where does the weathervane point',
      `chat-cache://guild/@me/channel/${one}/message/${messages[0]?.id}`,
    )
    expect(chat.requests.length).toBe(before)
    const elsewhere = { ...body, desktopCachePath: '/etc' }
    expect(await service.ask('POST /api/sources/chat', { body: elsewhere })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('data folder') },
    })
  })

  test.each([
    [{}, 'tokenRef is required'],
    [{ tokenRef: 'BOT' }, 'guildIds is required'],
    [{ tokenRef: 'BOT', guildId: '12' }, 'ids of 17 to 20 digits'],
    [{ tokenRef: `Bot ${'x'.repeat(30)}`, guildId }, 'the name of a secret, not a token'],
    [{ tokenRef: 'BOT', guildId, since: 'yesterday' }, 'since must be an ISO date and time'],
  ])('is refused with %j', async (body, error) => {
    const reply = await service.ask('POST /api/sources/chat', { body })
    expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } })
  })
})
