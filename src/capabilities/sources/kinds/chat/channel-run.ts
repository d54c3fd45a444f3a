import { z } from 'zod'
import { readAttachments } from './attachments.ts'
import type { Channel, ChannelRun } from './chat-run.ts'
import {
  compareIds,
  dayOf,
  lastIdBefore,
  lastIdBeforeDay,
  type Message,
  message,
  renderMessages,
} from './messages.ts'
import { markDeleted, saveMessages } from './save-messages.ts'

/** What a channel has been read to. Whole days are read, so that each is one item. */
interface Cursor {
  /** The newest message that was saved. */
  readonly latest?: string | undefined
  /** The oldest message that was saved. */
  readonly oldest?: string | undefined
  readonly isBackfilled: boolean
  /** Messages that the backfill has read. */
  readonly count: number
}

const pageSize = 100
const start: Cursor = { isBackfilled: false, count: 0 }

/** Newer messages first, then older ones up to the limit. Returns false for a channel that may not be read. */
export async function readChannel(run: ChannelRun, channel: Channel): Promise<boolean> {
  const key = `channel:${channel.id}`
  const cursor = (await run.context.checkpoints.read<Cursor>(key)) ?? start
  const isReadable = cursor.latest === undefined || (await readNewer(run, channel, { key, cursor }))
  if (!isReadable) return false
  const isDone = cursor.isBackfilled || cursor.count >= run.settings.maxMessagesPerChannel
  return isDone || readOlder(run, channel, key)
}

interface Progress {
  readonly key: string
  readonly cursor: Cursor
}

/** Reads from the start of the day of the newest message, so that its edits are seen. */
async function readNewer(
  run: ChannelRun,
  channel: Channel,
  { key, cursor }: Progress,
): Promise<boolean> {
  const from = lastIdBefore(cursor.latest ?? '0')
  let after = from
  let latest = cursor.latest
  const ids = new Set<string>()
  let pending: readonly Message[] = []
  for (;;) {
    const page = await fetchMessages(run, channel, `after=${after}`)
    if (!page) return false
    const messages = page.toSorted((a, b) => compareIds(a.id, b.id))
    const isLast = messages.length < pageSize
    for (const { id } of messages) ids.add(id)
    const rest = await saveDays(run, channel, { messages: [...pending, ...messages], isLast })
    latest = messages.at(-1)?.id ?? latest
    // A day that goes on is read again by an interrupted run.
    const savedTo = rest[0] ? lastIdBefore(rest[0].id) : latest
    await run.context.checkpoints.write(key, { ...cursor, latest: savedTo } satisfies Cursor)
    const next = messages.at(-1)?.id
    if (isLast || next === undefined || next === after) {
      await markDeleted(run, channel, { after: from, ids })
      return true
    }
    pending = rest
    after = next
  }
}

interface Backfill {
  readonly cursor: Cursor
  /** Messages of a day that may go on. */
  readonly pending: readonly Message[]
  readonly before: string | undefined
}

/** Reads backwards from the oldest message that was saved. */
async function readOlder(run: ChannelRun, channel: Channel, key: string): Promise<boolean> {
  const cursor = (await run.context.checkpoints.read<Cursor>(key)) ?? start
  let state: Backfill | undefined = { cursor, pending: [], before: cursor.oldest }
  while (state) {
    const query = state.before === undefined ? '' : `before=${state.before}`
    const page = await fetchMessages(run, channel, query)
    if (!page) return false
    state = await saveOlder(run, channel, { key, page, state })
  }
  return true
}

interface OlderPage {
  readonly key: string
  readonly page: readonly Message[]
  readonly state: Backfill
}

/** Saves the whole days of a page. Returns undefined at the end. */
async function saveOlder(
  run: ChannelRun,
  channel: Channel,
  { key, page, state: { cursor, pending, before } }: OlderPage,
): Promise<Backfill | undefined> {
  const { maxMessagesPerChannel, since } = run.settings
  const sinceMs = since === undefined ? 0 : Date.parse(since)
  const inTime = page.filter(({ timestamp }) => Date.parse(timestamp) >= sinceMs)
  const all = [...pending, ...inTime.toSorted((a, b) => compareIds(b.id, a.id))]
  const room = Math.max(0, maxMessagesPerChannel - cursor.count)
  const isFull = all.length >= room
  const isEnd = page.length < pageSize || inTime.length < page.length
  const messages = all.slice(0, room)
  const rest = await saveDays(run, channel, { messages, isLast: isEnd || isFull })
  const saved = messages.filter((one) => !rest.includes(one))
  const next: Cursor = {
    latest: cursor.latest ?? saved[0]?.id,
    oldest: saved.at(-1)?.id ?? cursor.oldest,
    isBackfilled: isEnd && !isFull,
    count: cursor.count + saved.length,
  }
  await run.context.checkpoints.write(key, next, isEnd || isFull ? 'authoritative' : 'partial')
  const oldest = page.map(({ id }) => id).toSorted(compareIds)[0]
  const isOver = isEnd || isFull || oldest === undefined || oldest === before
  return isOver ? undefined : { cursor: next, pending: rest, before: oldest }
}

async function fetchMessages(
  { api }: ChannelRun,
  { id }: Channel,
  query: string,
): Promise<readonly Message[] | undefined> {
  const path = `/channels/${id}/messages?limit=${pageSize}${query && `&${query}`}`
  const reply = await api.call(path, { accepted: [403, 404] })
  return reply.status < 300 ? reply.parse(z.array(message).max(pageSize)) : undefined
}

const toWindowPath = ({ path }: Channel, day: string) => `${path}/messages/${day}`

/** Reads the messages of one day again, after one of them was written, edited or deleted. */
export async function readDay(run: ChannelRun, channel: Channel, day: string): Promise<void> {
  const messages: Message[] = []
  let after: string | undefined = lastIdBeforeDay(day)
  while (after !== undefined) {
    const page = await fetchMessages(run, channel, `after=${after}`)
    if (!page) return
    const sorted = page.toSorted((a, b) => compareIds(a.id, b.id))
    messages.push(...sorted.filter((one) => dayOf(one) === day))
    const last = sorted.at(-1)
    const isOver = page.length < pageSize || (last && dayOf(last) > day)
    after = isOver || last?.id === after ? undefined : last?.id
  }
  const { since = '' } = run.settings
  const inTime = messages.filter(
    ({ timestamp }) => since === '' || Date.parse(timestamp) >= Date.parse(since),
  )
  if (inTime.length === 0) return run.context.remove(toWindowPath(channel, day))
  await saveDays(run, channel, { messages: inTime, isLast: true })
  await saveLatest(run, channel, inTime.at(-1)?.id ?? '0')
}

/** The next run begins at the newest message that was seen. */
async function saveLatest({ context }: ChannelRun, { id }: Channel, latest: string): Promise<void> {
  const key = `channel:${id}`
  const cursor = await context.checkpoints.read<Cursor>(key)
  if (cursor?.latest !== undefined && compareIds(cursor.latest, latest) >= 0) return
  await context.checkpoints.write(key, { ...(cursor ?? start), latest } satisfies Cursor)
}

interface Batch {
  readonly messages: readonly Message[]
  /** Whether the last day of the batch is whole. */
  readonly isLast: boolean
}

/** Saves each whole day as one item. Returns the messages of the day that may go on. */
async function saveDays(
  run: ChannelRun,
  channel: Channel,
  { messages, isLast }: Batch,
): Promise<readonly Message[]> {
  const { context, settings } = run
  const days = Map.groupBy(messages, dayOf)
  const last = isLast ? undefined : messages.at(-1)
  const openDay = last && dayOf(last)
  for (const [day, ofDay] of days) {
    if (day === openDay) continue
    const content = renderMessages(ofDay, settings)
    if (content === '') continue
    await context.save({
      path: toWindowPath(channel, day),
      parentPath: channel.path,
      type: 'message_window',
      title: `#${channel.name} on ${day}`,
      content,
      externalId: ofDay[0]?.id,
      capturedAt: ofDay[0]?.timestamp,
      meta: { messages: ofDay.length },
    })
    await saveMessages(run, channel, ofDay)
    await readAttachments(run, channel, ofDay)
  }
  return openDay === undefined ? [] : (days.get(openDay) ?? [])
}
