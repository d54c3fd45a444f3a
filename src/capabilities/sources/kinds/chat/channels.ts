import { z } from 'zod'
import { readChannel } from './channel-run.ts'
import type { ChannelRun } from './chat-run.ts'
import { nameOf, snowflake } from './messages.ts'

/** A channel or thread, as the API sends it. */
export const channel = z.looseObject({
  id: snowflake,
  name: z.string().default(''),
  type: z.int(),
  topic: z.string().nullish(),
  parent_id: snowflake.nullish(),
  thread_metadata: z.looseObject({ archive_timestamp: z.string().nullish() }).nullish(),
})
export type WireChannel = z.output<typeof channel>

export const member = z.looseObject({
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

export const toGuildPath = (guildId: string) => `chat://guild/${guildId}`
const toMemberPath = (guildId: string, id: string) => `${toGuildPath(guildId)}/member/${id}`
export const toChannelPath = (guildId: string, id: string) =>
  `${toGuildPath(guildId)}/channel/${id}`

export const isThread = ({ thread_metadata: metadata }: WireChannel) =>
  metadata !== undefined && metadata !== null

export function isSelected(
  { settings: { channelFilter } }: ChannelRun,
  { id, name, type }: WireChannel,
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
  readonly channels: readonly WireChannel[]
}

export async function listThreads(
  run: ChannelRun,
  { guildId, channels }: ThreadWork,
): Promise<WireChannel[]> {
  const { api, settings } = run
  if (!settings.includeThreads) return []
  const parents = new Set(channels.map(({ id }) => id))
  const { threads } = (await api.call(`/guilds/${guildId}/threads/active`)).parse(threadList)
  const found = threads.filter(({ parent_id: parent }) => parents.has(parent ?? ''))
  for (const { id } of channels) {
    if (settings.includeArchivedThreads) found.push(...(await listArchived(run, id, 'public')))
    if (settings.includePrivateArchivedThreads)
      found.push(...(await listArchived(run, id, 'private')))
  }
  return [...new Map(found.map((one) => [one.id, one])).values()]
}

/** Archived threads of a channel, the newest first. */
async function listArchived(
  { api }: ChannelRun,
  channelId: string,
  visibility: 'public' | 'private',
): Promise<readonly WireChannel[]> {
  const found: WireChannel[] = []
  for (let before = ''; found.length < maxThreads; ) {
    const path = `/channels/${channelId}/threads/archived/${visibility}?limit=100${before}`
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
  readonly guildId: string
  readonly path: string
}

/** Reads the messages of a channel or thread, and saves its description. */
export async function readChannelItem(
  run: ChannelRun,
  one: WireChannel,
  place: Place,
): Promise<void> {
  const { id, name, type } = one
  const { path } = place
  const isReadable = withThreads.has(type) || (await readChannel(run, { id, name, path }))
  if (isThread(one) && isReadable && run.settings.includeThreadMembers)
    await readThreadMembers(run, one, place)
  await saveChannel(run, one, { ...place, isReadable })
}

async function saveChannel(
  { context }: ChannelRun,
  one: WireChannel,
  { guildId, path, isReadable }: Place & { readonly isReadable: boolean },
): Promise<void> {
  const { id, name, topic } = one
  await context.save({
    path,
    parentPath: toGuildPath(guildId),
    type: isThread(one) ? 'thread' : 'channel',
    title: `#${name}`,
    content: topic || `#${name}`,
    externalId: id,
    isSearchable: Boolean(topic),
    meta: { isReadable },
  })
}

const threadMembers = z
  .array(z.looseObject({ user_id: snowflake.optional(), join_timestamp: z.string().nullish() }))
  .max(memberPageSize)

async function readThreadMembers(
  { api, context }: ChannelRun,
  { id, name }: WireChannel,
  { path }: Place,
): Promise<void> {
  // Members of threads are listed to bots with this intent alone.
  const reply = await api.call(`/channels/${id}/thread-members`, { accepted: [403, 404] })
  if (reply.status >= 300) return
  for (const { user_id: userId, join_timestamp: joinedAt } of reply.parse(threadMembers))
    if (userId !== undefined)
      await context.save({
        path: `${path}/member/${userId}`,
        parentPath: path,
        type: 'thread_member',
        title: `${userId} in #${name}`,
        content: `Member ${userId} of #${name}${joinedAt ? `, since ${joinedAt.slice(0, 10)}` : ''}`,
        externalId: userId,
        isSearchable: false,
      })
}

export async function readMembers(run: ChannelRun, guildId: string): Promise<void> {
  let after = '0'
  for (let count = 0; count < maxMembers; ) {
    const path = `/guilds/${guildId}/members?limit=${memberPageSize}&after=${after}`
    // Members are listed to bots with this intent alone.
    const reply = await run.api.call(path, { accepted: [403] })
    if (reply.status === 403) return
    const members = reply.parse(z.array(member).max(memberPageSize))
    for (const one of members) await saveMember(run, guildId, one)
    count += members.length
    const next = members.at(-1)?.user.id
    if (members.length < memberPageSize || next === undefined || next === after) return
    after = next
  }
}

export async function saveMember(
  { context }: ChannelRun,
  guildId: string,
  { nick, user }: z.output<typeof member>,
): Promise<void> {
  await context.save({
    path: toMemberPath(guildId, user.id),
    parentPath: toGuildPath(guildId),
    type: 'member',
    title: nick || nameOf(user),
    content: `${nick || nameOf(user)} (${user.username})`,
    externalId: user.id,
    isSearchable: false,
  })
}

export async function removeMember(
  { context }: ChannelRun,
  guildId: string,
  userId: string,
): Promise<void> {
  await context.remove(toMemberPath(guildId, userId))
}
