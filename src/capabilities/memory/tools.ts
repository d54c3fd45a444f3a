import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'

const notFound = 'No memory has this id. Use an id from memory_search or memory_list.'
const id = z.string().min(1).describe('The id of the memory')
const reason = z.string().min(1).describe('Reason, stored in the history')
const tags = z.union([z.string(), z.array(z.string())]).describe('A list, or words with commas')
const importance = z.number().describe('From 0 to 1')
const pinned = z.boolean().describe('Never decays; deleting it needs force')
const when = (what: string) => z.string().describe(`${what}, as an ISO time`).optional()

const storeInput = z.object({
  content: z.string().min(1).describe('One fact or event, so that it makes sense on its own'),
  type: z.string().describe('fact, preference, decision, rule, …').optional(),
  importance: importance.optional(),
  tags: tags.optional(),
  pinned: pinned.optional(),
  project: z.string().describe('The project it belongs to').optional(),
  hints: z.array(z.string()).describe('Questions that this should answer later').optional(),
  occurredAt: when('When it happened'),
  observedAt: when('When it was learned'),
  sourceCreatedAt: when('When its source was written'),
  createdAt: when('When it was written down, if that was not now'),
  validFrom: when('Since when it holds'),
  validUntil: when('Until when it holds'),
  reviewAfter: when('When to look at it again'),
  supersedes: z.string().describe('The id of the memory to supersede').optional(),
  transcript: z.string().describe('The conversation it is from').optional(),
  structured: z.record(z.string(), z.unknown()).describe('Entities, aspects and hints').optional(),
  session_key: z.string().describe('The session it is from').optional(),
  agent_id: z.string().describe('The agent whose memory it is').optional(),
})

/** Characters of content in a list row. `memory_get` returns all. */
const maxRowCharacters = 300
/** Characters of content in the receipt of a store. */
const maxReceiptCharacters = 100

/** MCP tools. Each maps to one route. */
export const memoryTools: readonly Tool[] = [
  tool({
    name: 'memory_store',
    title: 'Remember',
    effect: 'adds',
    route: 'memory.remember',
    description:
      'Store a fact, preference, decision or event for later conversations. Duplicates are stored once.',
    input: storeInput,
    toRouteInput: (body, { project, harness: who, sessionKey }) => ({
      body: { project, who, ...body, sessionId: body.session_key ?? sessionKey },
    }),
    toText: (reply) => toReceipt(reply as Parameters<typeof toReceipt>[0]),
  }),
  tool({
    name: 'memory_get',
    title: 'Read a memory',
    effect: 'reads',
    route: 'memory.read',
    description: 'Read a whole memory by the id from a search or a list.',
    input: z.object({ id }),
    notFound,
    toRouteInput: ({ id }) => ({ params: { id } }),
  }),
  tool({
    name: 'memory_list',
    title: 'List memories',
    effect: 'reads',
    route: 'memory.list',
    description:
      'List the newest memories, truncated; memory_get returns a whole one. Use search to find something.',
    input: z.object({
      limit: z.number().describe('Default: 100').optional(),
      offset: z.number().describe('Number to skip').optional(),
      type: z.string().describe('Only this type').optional(),
    }),
    toRouteInput: (query) => ({ query }),
    toText: (reply) => toShortList(reply as Parameters<typeof toShortList>[0]),
  }),
  tool({
    name: 'memory_modify',
    title: 'Change a memory',
    effect: 'changes',
    route: 'memory.update',
    description:
      'Change tags, importance or pin of a memory. Content and type are immutable: store a new memory with supersedes.',
    input: z.object({
      id,
      reason,
      content: z.string().describe('New content; not for episodic memories').optional(),
      type: z.string().describe('New type; not for episodic memories').optional(),
      importance: importance.optional(),
      tags: tags.optional(),
      pinned: pinned.optional(),
    }),
    notFound,
    toRouteInput: ({ id, ...body }) => ({ params: { id }, body }),
  }),
  tool({
    name: 'memory_forget',
    title: 'Forget a memory',
    effect: 'removes',
    route: 'memory.forget',
    description: 'Delete a memory. A person can recover it within 30 days.',
    input: z.object({ id, reason }),
    notFound,
    toRouteInput: ({ id, reason }) => ({ params: { id }, body: { reason } }),
  }),
]

interface StoreReply {
  readonly id: string
  readonly type: string
  readonly content: string
  readonly deduped: boolean
  readonly redactions?: number
}

/** The receipt of a stored memory. */
function toReceipt({ id, type, content, deduped, redactions }: StoreReply): string {
  const excerpt = cutAt(maxReceiptCharacters, content.replaceAll(/\s+/g, ' '))
  const redactionNote =
    redactions === undefined ? '' : `, without ${redactions} credentials or private spans`
  return `${deduped ? 'Known already' : 'Remembered'} (${type})${redactionNote}: ${excerpt}\nid ${id}`
}

function cutAt(maxCharacters: number, text: string): string {
  return text.length > maxCharacters ? `${sliceText(text, 0, maxCharacters)}…` : text
}

interface ListReply {
  readonly memories: readonly { readonly content: string }[]
}

function toShortList({ memories }: ListReply): string {
  const rows = memories.map(({ content, ...row }) =>
    content.length > maxRowCharacters
      ? { ...row, content: cutAt(maxRowCharacters, content), truncated: true }
      : { ...row, content },
  )
  return JSON.stringify({ memories: rows, count: rows.length })
}
