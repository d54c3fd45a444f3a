import { expect, onTestFinished, test } from 'vitest'
import { guildId, messageAt, startFakeChat } from '../../../../../test/support/fake-chat.ts'
import { manualClockHost } from '../../../../kernel/testing/manual-clock-host.ts'
import { sourcesSettings } from '../../config.ts'
import { addSource } from '../../manage.ts'
import { createScheduler } from '../../runs/scheduler.ts'
import type { SourceEntry } from '../../source.ts'
import { ada, onEachEngine, type SourcesKit } from '../../sources.fixture.ts'
import {
  describeRemoteKind,
  remoteKit,
  skipDelays,
  syntheticToken,
} from '../remote-kind.contract.ts'
import { type ChatRequest, draftChat } from './settings.ts'

const { agentId } = ada
const tokenRef = 'SYNTHETIC_TOKEN'
const path = `chat://guild/${guildId}`

async function chat() {
  const origin = await startFakeChat(syntheticToken)
  onTestFinished(() => origin.stop())
  const config = () => sourcesSettings.schema.parse({ chat: { apiUrl: origin.url } })
  return { origin, options: { config } }
}

const draft = (request: Partial<ChatRequest> = {}) =>
  draftChat({ agentId, tokenRef, guildIds: [guildId], ...request }, undefined)

const texts = {
  one: 'The quillwort grows in shallow water.',
  two: 'The sphagnum covers the bog.',
  three: 'The liverwort grows on wet stones.',
}
const ids = { one: '200000000000000001', two: '200000000000000002', three: '200000000000000003' }
const day = '2026-03-05'
const at = (time: string) => `${day}T${time}:00.000Z`

describeRemoteKind('chat', async () => {
  const { origin, options } = await chat()
  const put = (name: keyof typeof ids, text: string) => {
    const messages = [messageAt(at('09:15'), text)]
    origin.channels.set(ids[name], { id: ids[name], name, type: 0, messages })
  }
  for (const name of ['one', 'two', 'three'] as const) put(name, texts[name])
  return {
    origin,
    options,
    draft: draft(),
    put,
    remove: (name) => {
      origin.channels.delete(ids[name])
    },
    pathOf: (name) => `${path}/channel/${ids[name]}/messages/${day}`,
    listing: new RegExp(`GET /v10/guilds/${guildId}\\?`),
    two: new RegExp(`GET /v10/channels/${ids.two}/messages`),
  }
})

async function index(kit: SourcesKit, request: Partial<ChatRequest> = {}) {
  const source = draft(request)
  await addSource(kit, source)
  return kit.settle(source.id)
}

onEachEngine(
  'messages of a day are one item, with names, attachments, embeds and polls',
  async (db) => {
    const { origin, options } = await chat()
    const messages = [
      messageAt(at('10:00'), 'Ask <@8> about it.', { mentions: [{ id: '8', username: 'bob' }] }),
      messageAt(at('09:00'), 'Good morning.', { edited_timestamp: at('09:01') }),
      messageAt(at('11:00'), '', {
        attachments: [{ filename: 'plan.pdf', description: 'the plan' }],
        embeds: [{ title: 'A page', description: 'About ferns', url: 'https://site.example/' }],
        poll: { question: { text: 'Which day?' }, answers: [{ poll_media: { text: 'Monday' } }] },
      }),
    ]
    origin.channels.set(ids.one, {
      id: ids.one,
      name: 'garden',
      type: 0,
      topic: 'All about beds',
      messages,
    })
    origin.members.set('8', 'bob')
    const kit = await remoteKit(db, { origin, options })

    expect(await index(kit)).toMatchObject({ status: 'complete' })
    expect(await kit.listPaths(draft().id)).toEqual([
      path,
      `${path}/channel/${ids.one}`,
      `${path}/channel/${ids.one}/messages/${day}`,
      `${path}/member/8`,
    ])
    const chunks = await kit.listChunks(draft().id)
    expect(chunks.map(({ heading, text }) => [heading, text])).toEqual([
      ['#garden', 'All about beds'],
      [
        `#garden on ${day}`,
        [
          'Ada at 09:00 (edited): Good morning.',
          'Ada at 10:00: Ask @bob about it.',
          'Ada at 11:00: [attachment: plan.pdf, the plan]\nA page\nAbout ferns\nhttps://site.example/\nPoll: Which day?\n- Monday',
        ].join('\n\n'),
      ],
    ])
  },
)

onEachEngine('new messages are read from the last day on, and older history stays', async (db) => {
  const { origin, options } = await chat()
  const messages = Array.from({ length: 250 }, (_, number) =>
    messageAt(new Date(Date.UTC(2026, 0, 1, number)).toISOString(), `Message number ${number}.`),
  )
  origin.channels.set(ids.one, { id: ids.one, name: 'garden', type: 0, messages })
  const kit = await remoteKit(db, { origin, options })
  await index(kit)
  const windows = (await kit.listPaths(draft().id)).filter((one) => one.includes('/messages/'))
  expect(windows).toHaveLength(11)

  messages.splice(0, 24)
  messages.push(messageAt('2026-02-01T08:00:00.000Z', 'The newest word: petrichor.'))
  const before = origin.requests.length
  expect(await kit.run(draft().id)).toMatchObject({ status: 'complete' })
  const calls = origin.requests.slice(before).filter((one) => one.path.endsWith('/messages'))
  expect(calls).toHaveLength(1)
  const after = (await kit.listPaths(draft().id)).filter((one) => one.includes('/messages/'))
  expect(after).toHaveLength(12)
  expect(JSON.stringify(await kit.listChunks(draft().id))).toContain('petrichor')
})

onEachEngine('a channel has at most the messages of its limit, the newest first', async (db) => {
  const { origin, options } = await chat()
  const messages = Array.from({ length: 30 }, (_, number) =>
    messageAt(new Date(Date.UTC(2026, 0, number + 1)).toISOString(), `Message number ${number}.`),
  )
  origin.channels.set(ids.one, { id: ids.one, name: 'garden', type: 0, messages })
  const kit = await remoteKit(db, { origin, options })
  await index(kit, { maxMessagesPerChannel: 10 })
  await kit.run(draft().id)

  const windows = (await kit.listPaths(draft().id)).filter((one) => one.includes('/messages/'))
  expect(windows).toHaveLength(10)
  expect(windows[0]).toContain('2026-01-21')
})

onEachEngine(
  'threads are read, and a channel that the bot may not read is named alone',
  async (db) => {
    const { origin, options } = await chat()
    const thread = { name: 'thread', type: 11, parentId: ids.one }
    const set = (id: string, one: object) =>
      origin.channels.set(id, { id, name: 'x', type: 0, messages: [], ...one })
    set(ids.one, { name: 'garden' })
    set(ids.two, { name: 'secret', isPrivate: true })
    set('31', { ...thread, messages: [messageAt(at('08:00'), 'In an active thread.')] })
    set('32', {
      ...thread,
      archivedAt: at('07:00'),
      messages: [messageAt(at('06:00'), 'In an archived one.')],
    })
    const kit = await remoteKit(db, { origin, options })

    expect(await index(kit)).toMatchObject({ status: 'complete' })
    const words = JSON.stringify(await kit.listChunks(draft().id))
    expect(words).toContain('active thread')
    expect(words).toContain('archived one')
    expect(await kit.listPaths(draft().id)).toContain(`${path}/channel/${ids.two}`)

    await index(kit, { channelFilter: ['secret'], includeMembers: false })
    expect((await kit.listPaths(draft().id)).filter((one) => one.includes('/messages/'))).toEqual(
      [],
    )
  },
)

/** Follows a server; delays of the run take no time. */
async function startTail(db: Parameters<typeof remoteKit>[0], request: Partial<ChatRequest> = {}) {
  const { origin, options } = await chat()
  const garden = { id: ids.one, name: 'garden', type: 0 }
  const messages = [messageAt(at('09:00'), 'The quillwort grows in shallow water.')]
  origin.channels.set(ids.one, { ...garden, messages })
  const kit = await remoteKit(db, { origin, options })
  onTestFinished(skipDelays(kit))
  const source = draft({ ...request, syncMode: 'gateway-tail' })
  await addSource(kit, source)
  const words = async () => JSON.stringify(await kit.listChunks(source.id))
  await expect.poll(words).toContain('quillwort')
  const emit = (type: string, data: object) =>
    origin.gateway.emit(type, { guild_id: guildId, ...data })
  const emitMessage = (type: string, { id }: { readonly id: string }) =>
    emit(type, { id, channel_id: ids.one })
  const paths = () => kit.listPaths(source.id)
  return { origin, kit, id: source.id, messages, words, paths, emit, emitMessage, garden }
}

onEachEngine('a tail follows what is written, edited and deleted', async (db) => {
  const { origin, kit, id, messages, words, paths, emit, emitMessage, garden } = await startTail(
    db,
    { includeAttachmentText: true, maxAttachmentTextBytes: 1_000 },
  )
  origin.files.set('/attachments/1/plan.md', 'The trellis stands behind the shed.')
  const file = {
    id: '71',
    filename: 'plan.md',
    size: 40,
    url: `${origin.url}/attachments/1/plan.md`,
  }
  const picture = { ...file, id: '72', filename: 'plan.png' }
  const large = { ...file, id: '73', size: 1_001 }
  const attachments = [file, picture, large]
  const added = messageAt(at('10:00'), 'The arbutus is in flower.', { attachments })
  messages.push(added)
  emitMessage('MESSAGE_CREATE', added)
  await expect.poll(words).toContain('arbutus')
  await expect.poll(words).toContain('trellis')
  const filesOf = async () => (await paths()).filter((one) => one.includes('/attachment/'))
  expect(await filesOf()).toEqual([`${path}/channel/${ids.one}/message/${added.id}/attachment/71`])

  messages[1] = { ...added, content: 'The camellia is in flower.', edited_timestamp: at('10:01') }
  emitMessage('MESSAGE_UPDATE', added)
  await expect.poll(words).toContain('camellia')
  messages.pop()
  emitMessage('MESSAGE_DELETE', added)
  await expect.poll(words).not.toContain('camellia')
  expect(await words()).not.toContain('trellis')
  expect(await paths()).toContain(`${path}/channel/${ids.one}/message/${added.id}`)
  expect(await filesOf()).toEqual([])

  const news = { ...garden, id: ids.two, name: 'news', topic: 'About seeds' }
  origin.channels.set(ids.two, { ...news, messages: [messageAt(at('11:00'), 'Sow the lupins.')] })
  emit('CHANNEL_CREATE', news)
  emit('GUILD_MEMBER_ADD', { user: { id: '8', username: 'bob' } })
  await expect.poll(words).toContain('lupins')
  await expect.poll(paths).toContain(`${path}/member/8`)
  emit('CHANNEL_DELETE', news)
  emit('GUILD_MEMBER_REMOVE', { user: { id: '8', username: 'bob' } })
  await expect.poll(words).not.toContain('lupins')
  await expect.poll(paths).not.toContain(`${path}/member/8`)

  expect(kit.scheduler.find(id)).toMatchObject({ status: 'running' })
  expect(await kit.scheduler.cancel(id, 'paused')).toBe(true)
  expect(kit.scheduler.find(id)).toMatchObject({ status: 'paused', pauseReason: 'paused' })
  expect(await kit.checkpoint(id, `channel:${ids.one}`)).toMatchObject({ latest: added.id })
})

onEachEngine('a tail reads what it missed, and leaves its place to other runs', async (db) => {
  const { origin, kit, id, messages, words } = await startTail(db)
  origin.gateway.forgetSessions()
  messages.push(messageAt(at('12:00'), 'The hellebore opens in the frost.'))
  origin.gateway.end()
  await expect.poll(words).toContain('hellebore')

  await expect.poll(() => kit.scheduler.find(id)?.statusMessage).toContain('Follows')
  const busy = kit.scheduler.find(id)
  expect(busy).toMatchObject({ status: 'running' })
  expect((await kit.deletion.delete(agentId, id)).purged.artifacts).toBeGreaterThan(0)
  expect(await kit.listChunks(id)).toEqual([])
})

test('a run that waits for events leaves its place', async () => {
  const host = manualClockHost()
  const ended: string[] = []
  const scheduler = createScheduler({
    host,
    onChange: () => {},
    run: async ({ id }, { leavePlace, signal }) => {
      leavePlace()
      if (id !== 'last')
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve())
        })
      ended.push(id)
      return { status: 'complete' }
    },
  })
  for (const id of ['one', 'two', 'three', 'last'])
    scheduler.enqueue({ ...draft(), id, enabled: true } as SourceEntry)
  await scheduler.settled('last')
  expect(ended).toEqual(['last'])
  await scheduler.close()
})

test.each([
  ['Bot ', 'x'.repeat(20)],
  ['mfa.', 'x'.repeat(20)],
  [`${'x'.repeat(24)}.`, 'y'.repeat(6), `.${'z'.repeat(27)}`],
])('a token in place of its name is refused', (...parts) => {
  expect(() => draft({ tokenRef: parts.join('') })).toThrow('name of a secret')
})
