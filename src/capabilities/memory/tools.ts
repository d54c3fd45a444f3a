import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'

const id = z.string().min(1).describe('The id of the memory')
const reason = z.string().min(1).describe('Why, for its history')
const tags = z.union([z.string(), z.array(z.string())]).describe('A list, or words with commas')
const importance = z.number().describe('From 0 to 1')
const pinned = z.boolean().describe('Whether it never fades and goes only by force')
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
  supersedes: z.string().describe('The id of the memory whose place it takes').optional(),
  transcript: z.string().describe('The conversation it is from').optional(),
  structured: z.record(z.string(), z.unknown()).describe('Entities, aspects and hints').optional(),
  session_key: z.string().describe('The session it is from').optional(),
  agent_id: z.string().describe('The agent whose memory it is').optional(),
})

/** How much of a memory's words a row of a list shows; `memory_get` gives all of them. */
const maxRowCharacters = 300
/** The same for the reply to what was stored. */
const maxReceiptCharacters = 100

/** What a model does with memories, each the shape of one route. */
export const memoryTools: readonly Tool[] = [
  tool({
    name: 'memory_store',
    title: 'Remember',
    effect: 'adds',
    route: 'memory.remember',
    description:
      'Keep something for later conversations: a fact, preference, decision or event. Saying the same again keeps one memory.',
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
    description: 'One memory, whole, by the id that a search or a list gave.',
    input: z.object({ id }),
    toRouteInput: ({ id }) => ({ params: { id } }),
  }),
  tool({
    name: 'memory_list',
    title: 'List memories',
    effect: 'reads',
    route: 'memory.list',
    description:
      'The newest memories, each cut short; memory_get gives one whole. To find something, search.',
    input: z.object({
      limit: z.number().describe('100 unless said otherwise').optional(),
      offset: z.number().describe('How many to skip').optional(),
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
      'Change tags, importance or pin of a memory. Words and type of what was remembered are evidence and stay: store anew with supersedes.',
    input: z.object({
      id,
      reason,
      content: z.string().describe('New words, where the memory is no evidence').optional(),
      type: z.string().describe('Another type, where the memory is no evidence').optional(),
      importance: importance.optional(),
      tags: tags.optional(),
      pinned: pinned.optional(),
    }),
    toRouteInput: ({ id, ...body }) => ({ params: { id }, body }),
  }),
  tool({
    name: 'memory_forget',
    title: 'Forget a memory',
    effect: 'removes',
    route: 'memory.forget',
    description: 'Delete a memory; a person can bring it back within 30 days.',
    input: z.object({ id, reason }),
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

/** What a model needs to know of what it has stored. */
function toReceipt({ id, type, content, deduped, redactions }: StoreReply): string {
  const excerpt = cutAt(maxReceiptCharacters, content.replaceAll(/\s+/g, ' '))
  const redactionNote =
    redactions === undefined ? '' : `, without ${redactions} credentials or private spans`
  return `${deduped ? 'Known already' : 'Remembered'} (${type})${redactionNote}: ${excerpt}\nid ${id}`
}

function cutAt(maxCharacters: number, text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters).toWellFormed()}…` : text
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
