import { type FakeGateway, serveGateway } from './fake-gateway.ts'
import {
  type FakeOrigin,
  type OriginAnswer,
  type OriginRequest,
  startFakeOrigin,
} from './fake-origin.ts'

interface ChatMessage {
  readonly id: string
  readonly content: string
  readonly timestamp: string
  readonly [field: string]: unknown
}

interface ChatChannel {
  readonly id: string
  readonly name: string
  readonly type: number
  readonly topic?: string
  readonly parentId?: string
  /** Of an archived thread. */
  readonly archivedAt?: string
  /** The bot may not read it. */
  readonly isPrivate?: boolean
  readonly messages: ChatMessage[]
}

export interface FakeChat extends FakeOrigin {
  readonly channels: Map<string, ChatChannel>
  readonly members: Map<string, string>
  /** Contents of attachments by their paths, which are read without the token. */
  readonly files: Map<string, string>
  readonly gateway: FakeGateway
}

export const guildId = '100000000000000001'
const epochMs = 1_420_070_400_000

/** An id of this time. */
const idAt = (timestamp: string, number = 0) =>
  String((BigInt(Date.parse(timestamp) - epochMs) << 22n) + BigInt(number))

export const messageAt = (timestamp: string, content: string, more: object = {}): ChatMessage => ({
  id: idAt(timestamp),
  content,
  timestamp,
  author: { id: '7', username: 'ada', global_name: 'Ada' },
  ...more,
})

/** One server of a chat with its REST API. */
export async function startFakeChat(token: string): Promise<FakeChat> {
  const channels = new Map<string, ChatChannel>()
  const members = new Map<string, string>()
  const files = new Map<string, string>()
  const origin = await startFakeOrigin((request) => {
    const { authorization } = request.headers
    const file = files.get(request.path)
    if (file !== undefined && authorization === undefined) return { body: file }
    return authorization === `Bot ${token}`
      ? answer({ channels, members }, request)
      : { status: 401, body: { message: '401: Unauthorized', code: 0 } }
  })
  return { ...origin, channels, members, files, gateway: serveGateway(origin, token) }
}

type State = Pick<FakeChat, 'channels' | 'members'>

function answer(
  { channels, members }: State,
  { path, query, origin }: OriginRequest,
): OriginAnswer {
  if (path === '/v10/gateway/bot')
    return {
      body: {
        url: origin.replace(/^http/, 'ws'),
        shards: 1,
        session_start_limit: { total: 1_000, remaining: 999, reset_after: 0, max_concurrency: 1 },
      },
    }
  const all = [...channels.values()]
  const guild = `/v10/guilds/${guildId}`
  if (path === guild) return { body: { id: guildId, name: 'Gardeners' } }
  if (path === `${guild}/channels`)
    return { body: all.filter(({ parentId }) => parentId === undefined).map(toChannel) }
  if (path === `${guild}/threads/active`)
    return {
      body: { threads: all.filter((one) => one.parentId && !one.archivedAt).map(toChannel) },
    }
  if (path === `${guild}/members`) return { body: listMembers(members, query) }
  const [, id = '', rest] = /^\/v10\/channels\/(\d+)\/(.*)$/.exec(path) ?? []
  const channel = channels.get(id)
  if (!channel) return { status: 404, body: { message: 'Unknown Channel', code: 10_003 } }
  if (channel.isPrivate) return { status: 403, body: { message: 'Missing Access', code: 50_001 } }
  if (rest === 'messages') return { body: listMessages(channel, query) }
  if (rest === 'thread-members') return { body: [{ user_id: '7', join_timestamp: null }] }
  const archived = all.filter((one) => one.parentId === id && one.archivedAt)
  return { body: { threads: archived.map(toChannel), has_more: false } }
}

function toChannel({ id, name, type, topic, parentId, archivedAt }: ChatChannel) {
  const thread = parentId !== undefined && {
    parent_id: parentId,
    thread_metadata: { archived: archivedAt !== undefined, archive_timestamp: archivedAt ?? null },
  }
  return { id, name, type, topic: topic ?? null, ...thread }
}

function listMembers(members: ReadonlyMap<string, string>, query: URLSearchParams) {
  const after = BigInt(query.get('after') ?? 0)
  return [...members]
    .filter(([id]) => BigInt(id) > after)
    .slice(0, Number(query.get('limit') ?? 1))
    .map(([id, username]) => ({ nick: null, user: { id, username } }))
}

/** The newest first, also after an id. */
function listMessages({ messages }: ChatChannel, query: URLSearchParams): readonly ChatMessage[] {
  const [limit, after, before] = [
    Number(query.get('limit') ?? 50),
    query.get('after'),
    query.get('before'),
  ]
  const sorted = messages.toSorted((a, b) => Number(BigInt(b.id) - BigInt(a.id)))
  if (after !== null) return sorted.filter(({ id }) => BigInt(id) > BigInt(after)).slice(-limit)
  return sorted.filter(({ id }) => before === null || BigInt(id) < BigInt(before)).slice(0, limit)
}
