import { expect, onTestFinished, test } from 'vitest'
import { guildId, messageAt } from '../../../../../test/support/fake-chat.ts'
import { manualClockHost } from '../../../../kernel/testing/manual-clock-host.ts'
import { addSource } from '../../manage.ts'
import { createScheduler } from '../../runs/scheduler.ts'
import type { SourceEntry } from '../../source.ts'
import { ada, onEachEngine } from '../../sources.fixture.ts'
import { remoteKit, skipDelays } from '../remote-kind.contract.ts'
import { at, chat, draft, ids, path } from './chat.fixture.ts'
import type { ChatRequest } from './settings.ts'

const { agentId } = ada

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
  const messagePath = `${path}/channel/${ids.one}/message/${added.id}`
  const filesOf = async () => (await paths()).filter((one) => one.includes('/attachment/'))
  expect(await filesOf()).toEqual(
    ['71', '71/text', '72', '73'].map((at) => `${messagePath}/attachment/${at}`),
  )

  const edit = { content: 'The camellia is in flower.', edited_timestamp: at('10:01') }
  messages[1] = { ...added, ...edit, attachments: [file] }
  emitMessage('MESSAGE_UPDATE', added)
  await expect.poll(words).toContain('camellia')
  await expect
    .poll(filesOf)
    .toEqual(['71', '71/text'].map((at) => `${messagePath}/attachment/${at}`))
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
