import { z } from 'zod'
import type { RunResult } from '../../runs/job.ts'
import type { SourceKind, SyncContext } from '../kind.ts'
import { createRemoteApi } from '../remote-api.ts'
import { createFetchText } from './attachments.ts'
import {
  channel,
  isSelected,
  listThreads,
  readChannelItem,
  readMembers,
  toChannelPath,
  toGuildPath,
} from './channels.ts'
import { attempt, type Channel, type ChatNeeds, type ChatRun } from './chat-run.ts'
import { readDesktopCache } from './desktop-cache/read-cache.ts'
import { snowflake } from './messages.ts'
import { readSettings } from './settings.ts'
import { tail } from './tail.ts'

const guild = z.looseObject({ id: snowflake, name: z.string(), description: z.string().nullish() })

/** Servers of a chat with their channels, threads and messages. */
export function createChat(needs: ChatNeeds): SourceKind {
  return { kind: 'chat', sync: (context) => sync(needs, context) }
}

async function sync(needs: ChatNeeds, context: SyncContext): Promise<RunResult> {
  const settings = readSettings(context.source)
  if (settings.syncMode === 'desktop-cache')
    return readDesktopCache(needs.host, { context, settings })
  const { tokenRef } = settings
  const token = await context.readSecret(tokenRef)
  const api = createRemoteApi(needs, context, {
    label: 'The chat',
    apiUrl: `${needs.apiUrl().replace(/\/$/, '')}/v10`,
    tokenRef,
    headers: { authorization: `Bot ${token}` },
  })
  const fetchText = createFetchText(needs, context, settings.maxAttachmentTextBytes)
  const channels = new Map<string, Channel>()
  const run: ChatRun = { api, fetchText, context, settings, scanned: 0, failures: 0, channels }
  if (settings.syncMode === 'gateway-tail')
    await tail(needs, run, { token, readAll: () => readAll(run) })
  else await readAll(run)
  return { status: 'complete' }
}

async function readAll(run: ChatRun): Promise<void> {
  run.failures = 0
  run.channels.clear()
  for (const id of run.settings.guildIds)
    await attempt(run, toGuildPath(id), () => readGuild(run, id))
  if (run.failures === 0) await removeGone(run)
  await run.context.embed()
}

async function readGuild(run: ChatRun, guildId: string): Promise<void> {
  const { api, context, settings } = run
  const { name, description } = (await api.call(`/guilds/${guildId}`)).parse(guild)
  await context.save({
    path: toGuildPath(guildId),
    type: 'guild',
    title: name,
    content: description || name,
    externalId: guildId,
    isSearchable: false,
  })
  const listed = (await api.call(`/guilds/${guildId}/channels`)).parse(z.array(channel).max(1_000))
  const channels = listed.filter((one) => isSelected(run, one))
  const threads = await listThreads(run, { guildId, channels })
  const places = [...channels, ...threads].map((one) => ({
    one,
    path: toChannelPath(guildId, one.id),
  }))
  // Events of a channel that is being read are not lost.
  for (const { one, path } of places) run.channels.set(one.id, { id: one.id, name: one.name, path })
  for (const { one, path } of places)
    await attempt(run, path, () => readChannelItem(run, one, { guildId, path }))
  if (settings.includeMembers) await readMembers(run, guildId)
}

/** What was said in a channel, which is no list that a run reads whole. */
const ofMessages = /\/messages?\/.*$/

/** Removes channels and members that are gone. Messages of a channel that exists stay. */
async function removeGone({ context, channels }: ChatRun): Promise<void> {
  const paths = new Set([...channels.values()].map(({ path }) => path))
  await context.removeStale('chat://', (path) => {
    const channelPath = path.replace(ofMessages, '')
    return channelPath !== path && paths.has(channelPath)
  })
}
