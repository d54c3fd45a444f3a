import type { Host } from '../../../../../kernel/host/host.ts'
import { createTaskThread, TooLate } from '../../../../../kernel/threads/task-thread.ts'
import type { RunResult } from '../../../runs/job.ts'
import { RunFailure, type SyncContext } from '../../kind.ts'
import type { Channel } from '../chat-run.ts'
import { compareIds, type Message } from '../messages.ts'
import { saveMessages } from '../save-messages.ts'
import type { ChatSettings } from '../settings.ts'
import { isBlockCache, listBlockEntries } from './block-entries.ts'
import { type CacheEntry, UnreadableEntry } from './cache-entry.ts'
import { findCacheFolder } from './cache-folder.ts'
import { isChannelList, type KnownChannel } from './channel-list.ts'
import { listSimpleEntries } from './simple-entries.ts'
import type * as worker from './threads/reply-worker.ts'

interface DesktopRun {
  readonly context: SyncContext
  readonly settings: ChatSettings
}

interface Cursor {
  /** The latest change of the entries that were read. */
  readonly readTo: number
  /** A channel stays where it was first saved. */
  readonly channels: Readonly<Record<string, KnownChannel>>
}

const checkpoint = 'desktop-cache'
const start: Cursor = { readTo: 0, channels: {} }
const entryRoot = 'chat-cache://entry/'
const root = 'chat-cache://guild'
/** Servers, channels and direct messages beyond this number have no names. */
const maxChannels = 10_000
const replyOfMessages =
  /https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/v\d+\/channels\/(?<id>\d{1,20})\/messages(?:\?[^ ]*)?$/

const idleTimeoutMs = 30_000
const timeoutMs = 30_000

/** Reads replies in a thread, because a foreign reply of 4 MiB would block the event loop. */
export async function readDesktopCache(host: Host, run: DesktopRun): Promise<RunResult> {
  const thread = createTaskThread<typeof worker>({
    host,
    idleTimeoutMs,
    from: import.meta.url,
    module: './threads/reply-worker',
  })
  const state = { failures: 0 }
  try {
    return await readCache(run, {
      state,
      messages: (entry) =>
        readReply(run, entry, {
          state,
          read: async () => thread.run('readMessages', await entry.read(), timeoutMs),
        }),
      channels: (entry) =>
        readReply(run, entry, {
          state,
          read: async () => {
            const { key } = entry
            return thread.run('readChannels', { key, reply: await entry.read() }, timeoutMs)
          },
        }),
    })
  } finally {
    await thread.close()
  }
}

/** What replies say; undefined for an unreadable one. */
interface Reader {
  readonly state: { failures: number }
  messages(entry: CacheEntry): Promise<readonly Message[] | undefined>
  channels(entry: CacheEntry): Promise<readonly (readonly [string, KnownChannel])[] | undefined>
}

/**
 * Reads the messages that the desktop app has shown, from the replies in its cache. A missing entry
 * removes nothing, because the cache drops old replies.
 */
async function readCache(run: DesktopRun, reader: Reader): Promise<RunResult> {
  const { context, settings } = run
  const cursor = (await context.checkpoints.read<Cursor>(checkpoint)) ?? start
  const found = await listReplies(run, settings.desktopCacheFullScan ? 0 : cursor.readTo)
  const channels = new Map(Object.entries(cursor.channels))
  await addChannels(channels, found.channelLists, reader)
  for (const [id, entries] of found.messages) {
    const known = addChannel(channels, id, { name: id, guildId: '@me' })
    if (isSelected(settings, id, known)) await readChannel(run, { id, known, entries, reader })
  }
  const isWhole = reader.state.failures === 0
  // A run with failures is repeated in full.
  const readTo = isWhole ? found.readTo : cursor.readTo
  const next: Cursor = { readTo, channels: Object.fromEntries(channels) }
  await context.checkpoints.write(checkpoint, next, isWhole ? 'authoritative' : 'partial')
  // No item has this prefix, so only failures of former runs are removed.
  if (isWhole) await context.removeStale(entryRoot)
  await context.embed()
  return { status: 'complete' }
}

async function addChannels(
  channels: Map<string, KnownChannel>,
  channelLists: readonly CacheEntry[],
  reader: Reader,
): Promise<void> {
  for (const entry of channelLists)
    for (const [id, one] of (await reader.channels(entry)) ?? []) addChannel(channels, id, one)
}

/** A channel that is known stays as it is. */
function addChannel(channels: Map<string, KnownChannel>, id: string, one: KnownChannel) {
  const known = channels.get(id)
  if (!known && channels.size < maxChannels) channels.set(id, one)
  return known ?? one
}

interface Replies {
  readonly messages: Map<string, CacheEntry[]>
  /** Replies that name servers and channels. */
  readonly channelLists: CacheEntry[]
  readTo: number
}

async function listReplies({ context, settings }: DesktopRun, readTo: number): Promise<Replies> {
  const folder = await findCacheFolder(settings.desktopCachePath ?? '')
  if (folder === undefined)
    throw new RunFailure('The data folder of the desktop app has no cache. Nothing was removed.')
  const found: Replies = { messages: new Map(), channelLists: [], readTo }
  const entries = (await isBlockCache(folder))
    ? listBlockEntries(folder)
    : listSimpleEntries(folder)
  let scanned = 0
  for await (const entry of entries) {
    context.assertActive()
    scanned += 1
    const channelId = replyOfMessages.exec(entry.key)?.groups?.['id']
    if (isChannelList(entry.key)) found.channelLists.push(entry)
    if (channelId === undefined) continue
    found.readTo = Math.max(found.readTo, entry.changedMs)
    // A file may change twice within a tick of the clock.
    if (entry.changedMs < readTo) continue
    addEntry(found.messages, channelId, entry)
  }
  context.report({ scanned, total: scanned })
  return found
}

function addEntry(messages: Replies['messages'], channelId: string, entry: CacheEntry): void {
  const entries = messages.get(channelId)
  if (entries) entries.push(entry)
  else messages.set(channelId, [entry])
}

interface Reading<Value> {
  readonly state: { failures: number }
  readonly read: () => Promise<worker.ReadReply<Value>>
}

/** What an entry says. An unreadable entry is saved as a failure, and the run continues. */
async function readReply<Value>(
  { context }: DesktopRun,
  entry: CacheEntry,
  { state, read }: Reading<Value>,
): Promise<Value | undefined> {
  context.assertActive()
  const reply = await orProblem(read)
  if ('value' in reply) return reply.value
  state.failures += 1
  const path = `${entryRoot}${entry.name}`
  await context.fail({ path, message: `${entry.name}: ${reply.problem}`, recoverable: true })
  return undefined
}

async function orProblem<Value>(read: Reading<Value>['read']): Promise<worker.ReadReply<Value>> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadableEntry) return { problem: error.message }
    if (error instanceof TooLate) return { problem: 'The reply takes too long to read.' }
    throw error
  }
}

function isSelected(
  { guildIds, channelFilter }: ChatSettings,
  id: string,
  { name, guildId }: KnownChannel,
): boolean {
  const isInServers = guildIds.length === 0 || guildIds.includes(guildId)
  return (
    isInServers &&
    (channelFilter.length === 0 || channelFilter.some((one) => one === id || one === name))
  )
}

interface ChannelReplies {
  readonly id: string
  readonly known: KnownChannel
  readonly entries: readonly CacheEntry[]
  readonly reader: Reader
}

async function readChannel(run: DesktopRun, { id, known, entries, reader }: ChannelReplies) {
  const { context, settings } = run
  const { name, guildId } = known
  const messages = new Map<string, Message>()
  for (const entry of entries.toSorted((a, b) => a.changedMs - b.changedMs)) {
    for (const one of (await reader.messages(entry)) ?? [])
      if (!isOlder(one, messages.get(one.id))) messages.set(one.id, one)
    dropOldest(messages, settings)
  }
  const newest = selectNewest([...messages.values()], settings)
  if (newest.length === 0) return
  const channel: Channel = { id, name, path: `${root}/${guildId}/channel/${id}` }
  context.report({ currentPath: channel.path })
  await context.save({
    path: channel.path,
    type: 'channel',
    title: `#${name}`,
    content: guildId === '@me' ? `Direct messages: ${name}` : `#${name}`,
    externalId: id,
    isSearchable: false,
  })
  await saveMessages(run, channel, newest, { isSearchable: true })
}

/** Bounds the messages in memory. A channel may have more replies in the cache than fit. */
function dropOldest(messages: Map<string, Message>, settings: ChatSettings): void {
  if (messages.size <= 2 * settings.maxMessagesPerChannel) return
  const newest = selectNewest([...messages.values()], settings)
  messages.clear()
  for (const one of newest) messages.set(one.id, one)
}

/** Whether the other has a later edit. */
const isOlder = (one: Message, other: Message | undefined) =>
  (one.edited_timestamp ?? '') < (other?.edited_timestamp ?? '')

function selectNewest(
  messages: readonly Message[],
  { since, maxMessagesPerChannel }: ChatSettings,
): readonly Message[] {
  const sinceMs = since === undefined ? 0 : Date.parse(since)
  return messages
    .filter(({ timestamp }) => Date.parse(timestamp) >= sinceMs)
    .toSorted((a, b) => compareIds(b.id, a.id))
    .slice(0, maxMessagesPerChannel)
}
