import { z } from 'zod'
import type { RunResult } from '../../runs/job.ts'
import type { SourceKind, SyncContext } from '../kind.ts'
import type { RemoteNeeds } from '../remote.ts'
import { createRemoteApi, type RemoteApi, RemoteError } from '../remote-api.ts'
import { type ChannelRun, readChannel } from './channel-run.ts'
import { nameOf, snowflake } from './messages.ts'
import { readSettings } from './settings.ts'

interface ChatNeeds extends RemoteNeeds {
  /** `sources.chat.apiUrl` */
  readonly apiUrl: () => string
}

const guild = z.looseObject({ id: snowflake, name: z.string(), description: z.string().nullish() })
const channel = z.looseObject({
  id: snowflake,
  name: z.string().default(''),
  type: z.int(),
  topic: z.string().nullish(),
  parent_id: snowflake.nullish(),
  thread_metadata: z.looseObject({ archive_timestamp: z.string().nullish() }).nullish(),
})
type Channel = z.output<typeof channel>
const member = z.looseObject({
  nick: z.string().nullish(),
  user: z.looseObject({
    id: snowflake,
    username: z.string().default(''),
    global_name: z.string().nullish(),
  }),
})

/** Text, announcements, and the three kinds of threads. */
const withMessages = new Set([0, 5, 10, 11, 12])
/** Channels that have threads only: forums and media. */
const withThreads = new Set([15, 16])
const maxMembers = 10_000
const maxThreads = 1_000
const memberPageSize = 1_000

/** Servers of a chat with their channels, threads and messages. */
export function createChat(needs: ChatNeeds): SourceKind {
  return { kind: 'chat', sync: (context) => sync(needs, context) }
}

interface ChatRun extends ChannelRun {
  scanned: number
  failures: number
  /** Paths of channels, whose messages stay. */
  readonly channels: Set<string>
}

async function sync(needs: ChatNeeds, context: SyncContext): Promise<RunResult> {
  const settings = readSettings(context.source)
  const token = await context.readSecret(settings.tokenRef)
  const api = createRemoteApi(needs, context, {
    label: 'The chat',
    apiUrl: `${needs.apiUrl().replace(/\/$/, '')}/v10`,
    tokenRef: settings.tokenRef,
    headers: { authorization: `Bot ${token}` },
  })
  const run: ChatRun = { api, context, settings, scanned: 0, failures: 0, channels: new Set() }
  for (const id of settings.guildIds)
    await attempt(run, `chat://guild/${id}`, () => readGuild(run, id))
  if (run.failures === 0) await removeGone(run)
  await context.embed()
  return { status: 'complete' }
}

/** A reply that an item cannot be read from is its failure alone. */
async function attempt(run: ChatRun, path: string, read: () => Promise<void>): Promise<void> {
  run.context.report({ currentPath: path })
  try {
    await read()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    run.failures += 1
    const message = `${path}: ${error.message}`
    await run.context.fail({ path, message, recoverable: error.isRecoverable })
  }
  run.scanned += 1
  run.context.report({ scanned: run.scanned, total: run.scanned })
}

async function readGuild(run: ChatRun, id: string): Promise<void> {
  const { api, context, settings } = run
  const path = `chat://guild/${id}`
  const { name, description } = (await api.call(`/guilds/${id}`)).parse(guild)
  await context.save({
    path,
    type: 'guild',
    title: name,
    content: description || name,
    externalId: id,
    isSearchable: false,
  })
  const listed = (await api.call(`/guilds/${id}/channels`)).parse(z.array(channel).max(1_000))
  const channels = listed.filter((one) => isSelected(run, one))
  const threads = await listThreads(run, { guildId: id, channels })
  for (const one of [...channels, ...threads]) {
    const isThread = one.thread_metadata !== undefined && one.thread_metadata !== null
    const ownPath = `${path}/channel/${one.id}`
    await attempt(run, ownPath, () => readOne(run, one, { path: ownPath, isThread }))
  }
  if (settings.includeMembers) await readMembers(run, id)
}

function isSelected(
  { settings: { channelFilter } }: ChatRun,
  { id, name, type }: Channel,
): boolean {
  const isReadable = withMessages.has(type) || withThreads.has(type)
  return (
    isReadable &&
    (channelFilter.length === 0 || channelFilter.some((one) => one === id || one === name))
  )
}

const threadList = z.object({
  threads: z.array(channel).max(maxThreads),
  has_more: z.boolean().default(false),
})

interface ThreadWork {
  readonly guildId: string
  readonly channels: readonly Channel[]
}

async function listThreads(run: ChatRun, { guildId, channels }: ThreadWork): Promise<Channel[]> {
  const { api, settings } = run
  if (!settings.includeThreads) return []
  const parents = new Set(channels.map(({ id }) => id))
  const { threads } = (await api.call(`/guilds/${guildId}/threads/active`)).parse(threadList)
  const found = threads.filter(({ parent_id: parent }) => parents.has(parent ?? ''))
  if (settings.includeArchivedThreads)
    for (const { id } of channels) found.push(...(await listArchived(api, id)))
  return [...new Map(found.map((one) => [one.id, one])).values()]
}

/** Archived threads of a channel, the newest first. */
async function listArchived(api: RemoteApi, channelId: string): Promise<readonly Channel[]> {
  const found: Channel[] = []
  for (let before = ''; found.length < maxThreads; ) {
    const path = `/channels/${channelId}/threads/archived/public?limit=100${before}`
    const reply = await api.call(path, { accepted: [403, 404] })
    if (reply.status >= 300) return found
    const { threads, has_more: hasMore } = reply.parse(threadList)
    found.push(...threads)
    const time = threads.at(-1)?.thread_metadata?.archive_timestamp
    const next = time ? `&before=${encodeURIComponent(time)}` : before
    if (!hasMore || next === before) return found
    before = next
  }
  return found
}

interface Place {
  readonly path: string
  readonly isThread: boolean
}

async function readOne(run: ChatRun, one: Channel, { path, isThread }: Place): Promise<void> {
  const { id, name, topic, type } = one
  const isReadable = withThreads.has(type) || (await readChannel(run, { id, name, path }))
  run.channels.add(path)
  await run.context.save({
    path,
    parentPath: path.slice(0, path.indexOf('/channel/')),
    type: isThread ? 'thread' : 'channel',
    title: `#${name}`,
    content: topic || `#${name}`,
    externalId: id,
    isSearchable: Boolean(topic),
    meta: { isReadable },
  })
}

async function readMembers(run: ChatRun, guildId: string): Promise<void> {
  let after = '0'
  for (let count = 0; count < maxMembers; ) {
    const path = `/guilds/${guildId}/members?limit=${memberPageSize}&after=${after}`
    // Members are listed to bots with this intent alone.
    const reply = await run.api.call(path, { accepted: [403] })
    if (reply.status === 403) return
    const members = reply.parse(z.array(member).max(memberPageSize))
    for (const { nick, user } of members)
      await run.context.save({
        path: `chat://guild/${guildId}/member/${user.id}`,
        parentPath: `chat://guild/${guildId}`,
        type: 'member',
        title: nick || nameOf(user),
        content: `${nick || nameOf(user)} (${user.username})`,
        externalId: user.id,
        isSearchable: false,
      })
    count += members.length
    const next = members.at(-1)?.user.id
    if (members.length < memberPageSize || next === undefined || next === after) return
    after = next
  }
}

/** Removes channels and members that are gone. Messages of a channel that exists stay. */
async function removeGone({ context, channels }: ChatRun): Promise<void> {
  for (const { path } of await context.listStale('chat://')) {
    const channelPath = path.replace(/\/messages\/[^/]*$/, '')
    if (channelPath !== path && channels.has(channelPath)) context.retain(path)
  }
  await context.removeStale('chat://')
}
