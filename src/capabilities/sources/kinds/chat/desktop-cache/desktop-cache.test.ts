import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { messageAt } from '../../../../../../test/support/fake-chat.ts'
import {
  createBlockCache,
  createSimpleCache,
  toSimpleFile,
} from '../../../../../../test/support/fake-desktop-cache.ts'
import type { Db } from '../../../../../kernel/db/database.ts'
import { temporaryFolder } from '../../../../../kernel/testing/temporary-folder.ts'
import { addSource } from '../../../manage.ts'
import { exportSnapshot } from '../../../snapshot/export-snapshot.ts'
import { ada, onEachEngine, sourcesKit } from '../../../sources.fixture.ts'
import { draftChatOf } from '../draft.ts'
import type { ChatRequest } from '../settings.ts'
import { findAppFolder } from './cache-folder.ts'

const api = 'https://discord.com/api/v9'
const [friend, garden, guild] = ['310000000000000001', '310000000000000002', '100000000000000001']
const messagesOf = (channel: string, query = '?limit=50') =>
  `${api}/channels/${channel}/messages${query}`
const at = (time: string) => `2026-03-05T${time}:00.000Z`
const hello = messageAt(at('09:00'), 'The hellebore opens in the frost, she says.')
const reply = messageAt(at('09:05'), 'The camellia is in flower as well today.')
const named = [
  {
    url: `${api}/users/@me/channels`,
    body: [{ id: friend, type: 1, recipients: [{ username: 'grace' }] }],
  },
  { url: `${api}/guilds/${guild}/channels`, body: [{ id: garden, name: 'garden', type: 0 }] },
] as const
const friendPath = `chat-cache://guild/@me/channel/${friend}`
const gardenPath = `chat-cache://guild/${guild}/channel/${garden}`

async function desktop(db: Db) {
  const kit = await sourcesKit(db)
  onTestFinished(() => kit.scheduler.close())
  const root = join(await temporaryFolder(), 'discord')
  await mkdir(root)
  const draft = (request: Partial<ChatRequest> = {}, { isLocal = true, headers = {} } = {}) =>
    draftChatOf(kit, {
      caller: ada,
      principal: { isLocal } as never,
      headers,
      body: { syncMode: 'desktop-cache', desktopCachePath: root, ...request },
    })
  const index = async (request: Partial<ChatRequest> = {}) => {
    const { source } = await addSource(kit, await draft(request))
    return { id: source.id, job: await kit.settle(source.id) }
  }
  const words = async (id: string) => (await kit.listChunks(id)).map(({ text }) => text).join('\n')
  return { kit, root, draft, index, words }
}

onEachEngine('direct messages and servers are read from a simple cache', async (db) => {
  const { kit, root, index, words } = await desktop(db)
  const cache = await createSimpleCache(root)
  await cache.put(1, { ...named[0], encoding: 'gzip' })
  await cache.put(2, { ...named[1], encoding: 'br' })
  await cache.put(3, { url: messagesOf(friend), body: [hello], encoding: 'br' })
  const poll = { question: { text: 'Which day?' }, answers: [] }
  const question = messageAt(at('10:00'), 'The trellis needs paint.', {
    poll,
    embeds: [{ title: 'Paint' }],
  })
  await cache.put(4, { url: messagesOf(garden), body: [question], encoding: 'gzip' })
  await cache.put(5, { url: 'https://cdn.discordapp.com/a.png', body: 'no reply of the API' })
  await writeFile(join(cache.folder, 'index'), 'no entry')

  const { id, job } = await index()
  expect(job).toMatchObject({ status: 'complete' })
  expect(id).toMatch(/^chat-cache:[0-9a-f]{16}$/)
  expect(await kit.listPaths(id)).toEqual(
    [
      friendPath,
      `${friendPath}/message/${hello.id}`,
      gardenPath,
      `${gardenPath}/message/${question.id}`,
      `${gardenPath}/message/${question.id}/embed/1`,
      `${gardenPath}/message/${question.id}/poll`,
    ].toSorted(),
  )
  expect(await words(id)).toContain('Ada at 09:00: The hellebore opens')
  const headings = (await kit.listChunks(id)).map(({ heading }) => heading)
  expect(headings.toSorted()).toEqual(['#garden on 2026-03-05', '#grace on 2026-03-05'])

  const { chunks } = await exportSnapshot(kit, ada, { sourceId: id, includeLocalChat: false })
  let snapshot = ''
  for await (const part of chunks as AsyncIterable<string>) snapshot += part
  expect(snapshot).not.toContain('hellebore')
  expect(snapshot).toContain('trellis')
})

onEachEngine('a reply that left the cache removes nothing, and an edit is followed', async (db) => {
  const { kit, root, index, words } = await desktop(db)
  const cache = await createSimpleCache(root)
  await cache.put(3, { url: messagesOf(friend), body: [hello] })
  const { id } = await index()

  await rm(cache.pathOf(3))
  const edited = {
    ...reply,
    content: 'The arbutus is in flower now.',
    edited_timestamp: at('11:00'),
  }
  await cache.put(4, { url: messagesOf(friend, '?before=9&limit=50'), body: [edited] })
  await cache.put(5, { url: messagesOf(friend, '?limit=100'), body: [reply] })
  expect(await kit.run(id)).toMatchObject({ status: 'complete' })
  for (const word of ['hellebore', 'arbutus']) expect(await words(id)).toContain(word)
  expect(await words(id)).not.toContain('camellia')

  await rename(join(root, 'Cache'), join(root, 'Gone'))
  expect(await kit.run(id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('no cache'),
  })
  expect(await words(id)).toContain('hellebore')
})

onEachEngine('a block-file cache is read, even with a chain that contains itself', async (db) => {
  const { root, index, words } = await desktop(db)
  const { folder, entries } = await createBlockCache(root, [
    ...named,
    { url: messagesOf(friend), body: [hello], encoding: 'gzip' },
    { url: messagesOf(garden), body: [reply], encoding: 'br' },
  ])
  const { id, job } = await index({ desktopCacheFullScan: true })
  expect(job).toMatchObject({ status: 'complete' })
  for (const word of ['hellebore', 'camellia']) expect(await words(id)).toContain(word)

  // The last entry leads to the first.
  entries.writeUInt32LE(0xa3010000, 8_192 + 3 * 1_024 + 4)
  await writeFile(join(folder, 'data_1'), entries)
  expect((await index({ desktopCacheFullScan: true })).job).toMatchObject({ status: 'complete' })
})

onEachEngine('channels, servers, times and numbers of messages limit what is read', async (db) => {
  const { kit, root, index } = await desktop(db)
  const cache = await createSimpleCache(root)
  for (const [number, place] of named.entries()) await cache.put(number, place)
  await cache.put(3, { url: messagesOf(friend), body: [hello, reply] })
  await cache.put(4, { url: messagesOf(garden), body: [hello, reply] })
  const messagesAfter = async (request: Partial<ChatRequest>) => {
    const { id } = await index({ name: 'x', desktopCacheFullScan: true, ...request })
    const paths = (await kit.listPaths(id)).filter((path) => path.includes('/message/'))
    await kit.deletion.delete(ada.agentId, id)
    return paths
  }
  const path = (of: string, { id }: { readonly id: string }) => `${of}/message/${id}`
  expect(await messagesAfter({ guildIds: [guild] })).toEqual([
    path(gardenPath, hello),
    path(gardenPath, reply),
  ])
  expect(await messagesAfter({ channelFilter: ['garden'] })).toHaveLength(2)
  expect(await messagesAfter({ channelFilter: [friend], maxMessagesPerChannel: 1 })).toEqual([
    path(friendPath, reply),
  ])
  expect(await messagesAfter({ since: at('09:01') })).toHaveLength(2)
})

const good = toSimpleFile({ url: messagesOf(friend), body: [hello] })
const hostile: Readonly<Record<string, Buffer>> = {
  'an entry that is cut': good.subarray(0, good.length - 30),
  'an end record that claims more than the file': (() => {
    const bytes = Buffer.from(good)
    bytes.writeUInt32LE(200_000, bytes.length - 8)
    return bytes
  })(),
  'a reply that is no JSON': toSimpleFile({ url: messagesOf(friend), body: '[{"id":' }),
  '200,000 brackets': toSimpleFile({ url: messagesOf(friend), body: '['.repeat(200_000) }),
  'a bomb': toSimpleFile({ url: messagesOf(friend), body: ' '.repeat(64_000_000), encoding: 'br' }),
  'bytes that are not compressed': (() => {
    const bytes = toSimpleFile({ url: messagesOf(friend), body: [hello], encoding: 'br' })
    const data = brotliCompressSync(Buffer.from(JSON.stringify([hello])))
    return Buffer.concat([
      bytes.subarray(0, bytes.indexOf(data)),
      Buffer.alloc(data.length, 0xff),
      bytes.subarray(bytes.indexOf(data) + data.length),
    ])
  })(),
}

onEachEngine('an entry that cannot be read is its failure alone', async (db) => {
  const { kit, root, index, words } = await desktop(db)
  const cache = await createSimpleCache(root)
  await cache.put(99, { url: messagesOf(garden), body: [reply] })
  const bodies = Object.values(hostile)
  for (const [number, bytes] of bodies.entries()) await writeFile(cache.pathOf(number), bytes)
  await writeFile(cache.pathOf(50), Buffer.alloc(10))
  await writeFile(cache.pathOf(51), Buffer.alloc(10_000, 0xff))
  await symlink('/dev/zero', cache.pathOf(52))
  await cache.put(53, { url: messagesOf(friend), body: { message: 'Unauthorized' }, status: 401 })
  await cache.put(54, {
    url: messagesOf(friend),
    body: [{ id: '../../x', timestamp: at('09:00') }, 7, null],
  })

  const { id, job } = await index()
  expect(job).toMatchObject({
    status: 'failed',
    error: expect.stringContaining(`${bodies.length} items failed`),
  })
  expect(await words(id)).toContain('camellia')
  const messages = (await kit.listPaths(id)).filter((path) => path.includes('/message/'))
  expect(messages).toEqual([`chat-cache://guild/@me/channel/${garden}/message/${reply.id}`])

  for (const number of bodies.keys()) await rm(cache.pathOf(number))
  expect(await kit.run(id)).toMatchObject({ status: 'complete' })
  expect((await kit.listPaths(id)).filter((path) => path.includes('/failures/'))).toEqual([])
})

onEachEngine('folders of other programs and callers of other machines are refused', async (db) => {
  const { root, draft } = await desktop(db)
  await expect(draft({}, { isLocal: false })).rejects.toMatchObject({ code: 'not_local_paths' })
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } }
  await expect(draft({}, forwarded)).rejects.toMatchObject({ code: 'not_local_paths' })
  const other = join(root, '..', 'browser')
  await mkdir(other)
  await expect(draft({ desktopCachePath: other })).rejects.toThrow('must be the data folder')
  const link = join(root, '..', 'discordptb')
  await symlink(other, link)
  await expect(draft({ desktopCachePath: link })).rejects.toThrow('must be the data folder')
  await expect(draft({ desktopCachePath: join(root, 'missing') })).rejects.toThrow('does not exist')
})

test('the folder of the platform is the default', async () => {
  const home = await temporaryFolder()
  const request = { path: undefined, home }
  await expect(findAppFolder({ ...request, platform: 'linux' })).rejects.toThrow('desktopCachePath')
  for (const [platform, folder] of [
    ['linux', '.config/discord'],
    ['darwin', 'Library/Application Support/discord'],
    ['win32', 'AppData/Roaming/discord'],
  ] as const) {
    await mkdir(join(home, folder), { recursive: true })
    expect(await findAppFolder({ ...request, platform })).toContain(folder)
  }
})
