import type { SyncContext } from '../kind.ts'
import type { Channel, ChannelRun } from './chat-run.ts'
import { revisionOf, toMessageItems, toMessagePath } from './message-items.ts'
import { compareIds, type Message } from './messages.ts'

type MessageRun = Pick<ChannelRun, 'context' | 'settings'>

/** Saves each message with its parts. The item of their day holds their words for recall. */
export async function saveMessages(
  run: MessageRun,
  channel: Channel,
  messages: readonly Message[],
  { isSearchable = false } = {},
): Promise<void> {
  const { context, settings } = run
  const edited: Message[] = []
  for (const one of messages.filter((each) => each.edited_timestamp)) {
    const isKnown = await context.isCurrent(toMessagePath(channel, one.id), revisionOf(one))
    if (!isKnown) edited.push(one)
  }
  const toItems = (one: Message) => toMessageItems(channel, one, { parts: settings, isSearchable })
  await saveInBatches(context, messages.flatMap(toItems))
  for (const one of edited) await removeOldParts(run, channel, one)
}

async function saveInBatches(
  context: SyncContext,
  items: Parameters<SyncContext['savePartial']>[0],
): Promise<void> {
  for (let start = 0; start < items.length; ) {
    const end = start + context.batchItems()
    await context.savePartial(items.slice(start, end))
    start = end
  }
}

/** Removes embeds and files that an edit has removed. */
async function removeOldParts(
  { context, settings }: MessageRun,
  channel: Channel,
  one: Message,
): Promise<void> {
  const items = toMessageItems(channel, one, { parts: settings, isSearchable: false })
  const current = new Set(items.map(({ path }) => path))
  const isCurrent = (path: string) => current.has(path.replace(/\/text$/, ''))
  for (const { path } of await context.listStale(`${toMessagePath(channel, one.id)}/`))
    if (!isCurrent(path)) await context.remove(path)
}

interface ReadMessages {
  /** All messages after this one were read. */
  readonly after: string
  readonly ids: ReadonlySet<string>
}

/** Marks saved messages that the run did not read as deleted. */
export async function markDeleted(
  run: MessageRun,
  channel: Channel,
  { after, ids }: ReadMessages,
): Promise<void> {
  const prefix = toMessagePath(channel, '')
  for (const { path } of await run.context.listStale(prefix)) {
    const id = path.slice(prefix.length)
    const isMessage = !id.includes('/') && compareIds(id, after) > 0
    if (!isMessage || ids.has(id)) continue
    const isMarked = await run.context.isCurrent(path, tombstoneRevision)
    if (!isMarked) await saveTombstone(run, channel, id)
  }
}

const tombstoneRevision = 'deleted'

/** Replaces a deleted message and its files by a tombstone. */
export async function saveTombstone(
  { context }: Pick<ChannelRun, 'context'>,
  channel: Channel,
  id: string,
): Promise<void> {
  const path = toMessagePath(channel, id)
  await context.removeBelow(path)
  await context.save({
    path,
    parentPath: channel.path,
    type: 'message_tombstone',
    title: `Deleted message in #${channel.name}`,
    content: `The message ${id} was deleted.`,
    revision: tombstoneRevision,
    externalId: id,
    isSearchable: false,
  })
}
