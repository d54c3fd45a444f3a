import type { Caller } from '../../kernel/auth/caller.ts'
import { Feed } from '../../kernel/feed/feed.ts'
import { neutralizeTexts } from '../../kernel/redaction/neutralize.ts'
import { type Presence, presenceChanged, toBareKey } from '../sessions/index.ts'
import { messageSent } from './events.ts'
import { readerOf } from './inbox.ts'
import { isAddressee } from './message.ts'
import type { MessagesNeeds } from './needs.ts'
import { toMessageReply } from './schemas.ts'
import { findMessage, listMessages } from './store.ts'

/** What a follower looks up in its own scope. */
type Change =
  | { readonly kind: 'message'; readonly id: string; readonly toSessionKey: string | null }
  | { readonly kind: 'presence' }

const retainedChanges = 1_000
const maxPresences = 50
const maxMessages = 20

export type MessageFeed = ReturnType<typeof createMessageFeed>

/** The changes that followers look at. `tick` finds sessions that expired in silence. */
export function createMessageFeed({ events, host }: Pick<MessagesNeeds, 'events' | 'host'>) {
  const life = host.now().getTime().toString(36)
  const feed = new Feed<Change>({ size: retainedChanges, life })
  events.on(messageSent, ({ id, toSessionKey }) => feed.add({ kind: 'message', id, toSessionKey }))
  events.on(presenceChanged, () => feed.add({ kind: 'presence' }))
  return {
    follow: (signal: AbortSignal, lastId: string | undefined) => feed.follow(signal, lastId),
    tick: async () => feed.add({ kind: 'presence' }),
  }
}

interface FollowRequest {
  readonly signal: AbortSignal
  readonly lastId: string | undefined
  readonly project: string | undefined
}

interface FollowNeeds extends MessagesNeeds {
  readonly feed: MessageFeed
}

/** Yields `connected`, a snapshot, and then messages and presences that the caller may read. */
export async function* followMessages(needs: FollowNeeds, caller: Caller, request: FollowRequest) {
  const { lastId, project = null, signal } = request
  const sessionKey = toBareKey(caller.sessionKey) ?? null
  const entries = needs.feed.follow(signal, lastId)
  const stamp = () => needs.host.now().toISOString()
  const presences = new Map<string, Presence>()
  const { agentId } = caller
  yield { data: { type: 'connected', agentId, sessionKey, project, timestamp: stamp() } }
  await updatePresences(needs, caller, { presences, project })
  yield { data: await toSnapshot(needs, caller, presences) }
  for await (const entry of entries) {
    if ('isGap' in entry) {
      yield { data: { type: 'gap' } }
      continue
    }
    const { id, item } = entry
    const timestamp = stamp()
    if (item.kind === 'message') {
      const message = await readMessage(needs, caller, item)
      if (message) yield { id, data: { type: 'message', message, timestamp } }
      continue
    }
    for (const change of await updatePresences(needs, caller, { presences, project }))
      yield { data: { type: 'presence', ...change, activeCount: presences.size, timestamp } }
  }
}

async function toSnapshot(
  needs: FollowNeeds,
  caller: Caller,
  presences: ReadonlyMap<string, Presence>,
) {
  const filter = {
    ...(await readerOf(needs, caller)),
    now: needs.host.now().toISOString(),
    sessionKey: toBareKey(caller.sessionKey),
    since: undefined,
    includeSent: false,
    includeBroadcast: true,
    unreadOnly: true,
  }
  const page = { limit: maxMessages, offset: 0, order: 'desc' } as const
  const messages = await listMessages(needs.db, filter, page)
  return {
    type: 'snapshot',
    presence: [...presences.values()].map(neutralizeTexts),
    messages: messages.map(toMessageReply),
  }
}

/** Undefined for a message to another agent or another session. */
async function readMessage(
  needs: FollowNeeds,
  caller: Caller,
  { id, toSessionKey }: Extract<Change, { kind: 'message' }>,
) {
  const sessionKey = toBareKey(caller.sessionKey)
  if (toSessionKey !== null && sessionKey !== undefined && toSessionKey !== sessionKey)
    return undefined
  const now = needs.host.now().toISOString()
  const message = await findMessage(needs.db, { id, agentId: caller.agentId, now })
  const isRead = message && isAddressee(await readerOf(needs, caller), message)
  return isRead ? toMessageReply(message) : undefined
}

interface Known {
  readonly presences: Map<string, Presence>
  readonly project: string | null
}

/** Reads the presences in the scope of this moment and returns what changed. */
async function updatePresences(needs: FollowNeeds, caller: Caller, { presences, project }: Known) {
  const listed = await needs.sessions.listPresence(caller, {
    sessionKey: toBareKey(caller.sessionKey),
    project: project ?? undefined,
    includeSelf: false,
    limit: maxPresences,
  })
  const current = new Map(listed.map((presence) => [identify(presence), presence]))
  const removed = [...presences].filter(([id]) => !current.has(id))
  const updated = [...current].filter(([id, presence]) => isChanged(presences.get(id), presence))
  for (const [id] of removed) presences.delete(id)
  for (const [id, presence] of updated) presences.set(id, presence)
  const toChange = (action: 'upsert' | 'remove') => (entry: readonly [string, Presence]) => ({
    action,
    presence: neutralizeTexts(entry[1]),
  })
  return [...removed.map(toChange('remove')), ...updated.map(toChange('upsert'))]
}

function identify({ agentId, key }: Presence): string {
  return `${agentId}\n${key}`
}

function isChanged(knownPresence: Presence | undefined, presence: Presence): boolean {
  if (!knownPresence) return true
  const fields = ['harness', 'project', 'provider', 'runtimePath', 'startedAt'] as const
  return fields.some((field) => knownPresence[field] !== presence[field])
}
