import { expect, test } from 'vitest'
import { guildId, messageAt } from '../../../../../test/support/fake-chat.ts'
import { addSource } from '../../manage.ts'
import type { SourceEntry } from '../../source.ts'
import { onEachEngine, type SourcesKit } from '../../sources.fixture.ts'
import { describeRemoteKind, remoteKit } from '../remote-kind.contract.ts'
import { at, chat, day, draft, ids, path } from './chat.fixture.ts'
import type { ChatRequest } from './settings.ts'

const texts = {
  one: 'The quillwort grows in shallow water.',
  two: 'The sphagnum covers the bog.',
  three: 'The liverwort grows on wet stones.',
}
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
        attachments: [{ id: '71', filename: 'plan.pdf', description: 'the plan' }],
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
    const [question, morning, plan] = messages.map(
      ({ id }) => `${path}/channel/${ids.one}/message/${id}`,
    )
    expect(await kit.listPaths(draft().id)).toEqual([
      path,
      `${path}/channel/${ids.one}`,
      morning,
      `${morning}/event/edited`,
      question,
      `${question}/mention/8`,
      plan,
      `${plan}/attachment/71`,
      `${plan}/embed/1`,
      `${plan}/poll`,
      `${path}/channel/${ids.one}/messages/${day}`,
      `${path}/member/8`,
    ])
    expect(await kit.listKinds(draft().id)).toEqual(
      [
        ...['attachment', 'channel', 'embed', 'guild', 'member', 'mention', 'message'],
        ...['message_event', 'message_window', 'poll'],
      ].map((kind) => `source_chat_${kind}`),
    )
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

onEachEngine('a message that is gone from the last day leaves a tombstone', async (db) => {
  const { origin, options } = await chat()
  const messages = ['09:00', '10:00', '11:00'].map((time) =>
    messageAt(at(time), `The quillwort of ${time}.`, { embeds: [{ title: 'Quillwort' }] }),
  )
  origin.channels.set(ids.one, { id: ids.one, name: 'garden', type: 0, messages })
  const kit = await remoteKit(db, { origin, options })
  await index(kit)
  const [gone] = messages.splice(1, 1)
  const messagePath = `${path}/channel/${ids.one}/message/${gone?.id}`
  const indexed: (number | undefined)[] = []
  for (let run = 0; run < 2; run++) {
    const job = await kit.run(draft().id)
    expect(job).toMatchObject({ status: 'complete' })
    indexed.push(job?.indexed)
    const below = (await kit.listPaths(draft().id)).filter((one) => one.startsWith(messagePath))
    expect(below).toEqual([messagePath])
    expect(await kit.listKinds(draft().id)).toContain('source_chat_message_tombstone')
    expect(JSON.stringify(await kit.listChunks(draft().id))).not.toContain('10:00')
  }
  // The second run saves the tombstone no more.
  const [first = 0, second] = indexed
  expect(second).toBe(first - 1)
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

test.each([
  ['Bot ', 'x'.repeat(20)],
  ['mfa.', 'x'.repeat(20)],
  [`${'x'.repeat(24)}.`, 'y'.repeat(6), `.${'z'.repeat(27)}`],
])('a token in place of its name is refused', (...parts) => {
  expect(() => draft({ tokenRef: parts.join('') })).toThrow('name of a secret')
})

test('texts of attachments need attachments', () => {
  const texts = { includeAttachmentText: true }
  const refusal = 'includeAttachmentText needs includeAttachments.'
  expect(() => draft({ ...texts, includeAttachments: false })).toThrow(refusal)

  const existing = draft(texts) as SourceEntry
  expect(() => draft({ includeAttachments: false }, existing)).toThrow(refusal)
  const request = { includeAttachments: false, includeAttachmentText: false }
  expect(draft(request, existing).providerSettings).toMatchObject(request)
  expect(draft({ name: 'Garden' }, existing).providerSettings).toMatchObject(texts)
})
