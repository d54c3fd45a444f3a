import { z } from 'zod'
import { RateLimited } from '../kind.ts'
import { readDay } from './channel-run.ts'
import {
  channel,
  isSelected,
  isThread,
  member,
  readChannelItem,
  removeMember,
  saveMember,
  toChannelPath,
  type WireChannel,
} from './channels.ts'
import { attempt, type ChatNeeds, type ChatRun } from './chat-run.ts'
import { followGateway } from './gateway.ts'
import { dayOfId, snowflake } from './messages.ts'
import { saveTombstone } from './save-messages.ts'

interface TailOptions {
  readonly token: string
  /** Reads all that a run without events reads. */
  readonly readAll: () => Promise<void>
}

/** Work that events ask for, by what it changes: several events of a day are one item of work. */
type Work = Map<string, () => Promise<void>>

/** Servers, members, messages, and the content of messages. */
const intents = (1 << 0) | (1 << 1) | (1 << 9) | (1 << 15)
/** Groups events that follow each other. */
const groupMs = 500

/** Reads all, then follows the events of the servers until the run is cancelled. */
export async function tail(needs: ChatNeeds, run: ChatRun, options: TailOptions): Promise<void> {
  const ended = new AbortController()
  const signal = AbortSignal.any([run.context.signal, ended.signal])
  const queue = createQueue()
  const events = createEvents(run, queue.add)
  const follow = followGateway(needs, {
    ...options,
    tokenRef: run.settings.tokenRef,
    intents,
    signal,
    findUrl: () => findUrl(needs, run),
    onSession: () => queue.add('all', () => readAndLeave(run, options)),
    onEvent: events,
  })
  const work = async () => {
    while (!signal.aborted) {
      await queue.wait(signal)
      await needs.host.sleep(groupMs, signal)
      await perform(run, queue.take())
    }
  }
  try {
    await Promise.all([follow, work()])
  } finally {
    ended.abort()
    await follow.catch(() => {})
  }
  run.context.assertActive()
}

async function readAndLeave({ context }: ChatRun, { readAll }: TailOptions): Promise<void> {
  await readAll()
  context.leavePlace()
  context.report({ statusMessage: 'Follows the events of the servers.' })
}

async function perform({ context }: ChatRun, work: Work): Promise<void> {
  for (const change of work.values()) {
    context.assertActive()
    await change()
  }
  if (work.size > 0) await context.embed()
}

function createQueue() {
  const state = { work: new Map() as Work, changed: Promise.withResolvers<void>() }
  return {
    add: (key: string, change: () => Promise<void>) => {
      state.work.set(key, change)
      state.changed.resolve()
    },
    take: () => {
      const { work } = state
      state.work = new Map()
      state.changed = Promise.withResolvers()
      return work
    },
    /** Resolves with the first item of work, and with the signal. */
    wait: async (signal: AbortSignal) => {
      const { resolve, promise } = state.changed
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (!signal.aborted) await promise
    },
  }
}

const gateway = z.object({
  url: z.string(),
  session_start_limit: z.object({ remaining: z.int(), reset_after: z.number().min(0) }).optional(),
})

async function findUrl({ host, apiUrl }: ChatNeeds, { api }: ChatRun): Promise<string> {
  const { url, session_start_limit: limit } = (await api.call('/gateway/bot')).parse(gateway)
  if (limit?.remaining !== 0) return url
  const retryAt = new Date(host.now().getTime() + Math.min(86_400_000, limit.reset_after))
  throw new RateLimited(new URL(apiUrl()).host, retryAt)
}

const inGuild = z.looseObject({ guild_id: snowflake })
const ofMessage = inGuild.extend({ id: snowflake, channel_id: snowflake })
const ofMessages = inGuild.extend({ ids: z.array(snowflake).max(1_000), channel_id: snowflake })
const ofChannel = channel.extend({ guild_id: snowflake })
const ofMember = member.extend({ guild_id: snowflake })

/** Turns the events of servers into work. Other events, and those of other servers, are ignored. */
function createEvents(run: ChatRun, add: (key: string, work: () => Promise<void>) => void) {
  const guilds = new Set(run.settings.guildIds)
  const onMessage = (data: unknown) => {
    const { id, channel_id: channelId } = ofMessage.parse(data)
    addDay(channelId, dayOfId(id))
  }
  const addDay = (channelId: string, day: string) => {
    const found = run.channels.get(channelId)
    if (found)
      add(`${channelId} ${day}`, () => attempt(run, found.path, () => readDay(run, found, day)))
  }
  const onDeletion = (channelId: string, ids: readonly string[]) => {
    for (const id of ids) {
      const found = run.channels.get(channelId)
      if (found) add(`deleted ${id}`, () => saveTombstone(run, found, id))
      addDay(channelId, dayOfId(id))
    }
  }
  const onChannel = (data: unknown) => {
    const one = ofChannel.parse(data)
    if (!isWanted(run, one)) return
    const { id, name, guild_id: guildId } = one
    const path = toChannelPath(guildId, id)
    add(`channel ${id}`, () =>
      attempt(run, path, async () => {
        run.channels.set(id, { id, name, path })
        await readChannelItem(run, one, { guildId, path })
      }),
    )
  }
  const onChannelDeletion = (data: unknown) => {
    const { id, guild_id: guildId } = ofMessage.partial({ channel_id: true }).parse(data)
    run.channels.delete(id)
    add(`channel ${id}`, () => run.context.removeBelow(toChannelPath(guildId, id)))
  }
  const onMember = (data: unknown) => {
    const one = ofMember.parse(data)
    const { guild_id: guildId } = one
    add(`member ${guildId} ${one.user.id}`, () => saveMember(run, guildId, one))
  }
  const onMemberRemoval = (data: unknown) => {
    const { user, guild_id: guildId } = ofMember.parse(data)
    add(`member ${guildId} ${user.id}`, () => removeMember(run, guildId, user.id))
  }
  const members = run.settings.includeMembers && {
    GUILD_MEMBER_ADD: onMember,
    GUILD_MEMBER_UPDATE: onMember,
    GUILD_MEMBER_REMOVE: onMemberRemoval,
  }
  const handlers: Readonly<Record<string, (data: unknown) => void>> = {
    MESSAGE_CREATE: onMessage,
    MESSAGE_UPDATE: onMessage,
    MESSAGE_DELETE: (data) => {
      const { id, channel_id: channelId } = ofMessage.parse(data)
      onDeletion(channelId, [id])
    },
    MESSAGE_DELETE_BULK: (data) => {
      const { ids, channel_id: channelId } = ofMessages.parse(data)
      onDeletion(channelId, ids)
    },
    CHANNEL_CREATE: onChannel,
    CHANNEL_UPDATE: onChannel,
    CHANNEL_DELETE: onChannelDeletion,
    THREAD_CREATE: onChannel,
    THREAD_UPDATE: onChannel,
    THREAD_DELETE: onChannelDeletion,
    ...members,
  }
  return (type: string, data: unknown) => {
    const guildId = inGuild.safeParse(data).data?.guild_id
    if (guildId !== undefined && guilds.has(guildId)) handlers[type]?.(data)
  }
}

/** A thread follows its channel. */
function isWanted(run: ChatRun, one: WireChannel): boolean {
  if (!isThread(one)) return isSelected(run, one)
  return run.settings.includeThreads && run.channels.has(one.parent_id ?? '')
}
