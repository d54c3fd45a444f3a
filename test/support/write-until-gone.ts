import type { Service } from './start-service.ts'

/** A memory, and the query that finds only it. */
interface Findable {
  readonly id: string
  readonly question: { readonly query: string; readonly tags?: string }
}

export interface Acknowledged {
  readonly present: Findable[]
  /** Deleted or superseded. */
  readonly gone: Findable[]
}

interface WriteOptions {
  /** Prefix of every word, so that two rounds never share words. */
  readonly name: string
  readonly clients: number
  /** Collects the written memories. */
  readonly written: Acknowledged
  /** Called after each acknowledged write with their number. */
  readonly acknowledged: (count: number) => void
}

type Body = Readonly<Record<string, unknown>>
type Write = (operation: string, body: object) => Promise<Body>

class ServiceGone extends Error {}

/**
 * Many clients save memories; in turn they leave, change, delete and supersede them, until the
 * service is gone. A write without an answer may have been applied or not.
 */
export async function writeUntilGone(
  service: Service,
  { name, clients, written, acknowledged }: WriteOptions,
): Promise<void> {
  let count = 0
  const write: Write = async (operation, body) => {
    const reply = await service.ask(operation, { body }).catch(() => {
      throw new ServiceGone()
    })
    if (reply.status !== 200) throw new Error(`${operation} was answered with ${reply.status}.`)
    acknowledged(++count)
    return reply.body
  }
  const client = async (number: number) => {
    for (let turn = number; ; turn++)
      await operations[turn % operations.length]?.(write, written, `${name}x${number}x${turn}`)
  }
  const ends = Array.from({ length: clients }, (_, number) =>
    client(number).catch((error: unknown) => {
      if (!(error instanceof ServiceGone)) throw error
    }),
  )
  await Promise.all(ends)
}

type Operation = (write: Write, written: Acknowledged, word: string) => Promise<void>

const reason = 'a test'
const operations: readonly Operation[] = [
  async (write, { present }, query) => {
    present.push({ id: await remember(write, query), question: { query } })
  },
  async (write, { present }, query) => {
    const id = await remember(write, query)
    present.push({ id, question: { query } })
    const tags = `${query}tag`
    await write(`PATCH /api/memory/${id}`, { tags: [tags], reason })
    present.push({ id, question: { query, tags } })
  },
  async (write, { gone }, query) => {
    const id = await remember(write, query)
    await write(`DELETE /api/memory/${id}`, { reason })
    gone.push({ id, question: { query } })
  },
  async (write, { present, gone }, query) => {
    const id = await remember(write, query)
    const next = `${query}next`
    present.push({ id: await remember(write, next, { supersedes: id }), question: { query: next } })
    gone.push({ id, question: { query } })
  },
]

async function remember(write: Write, word: string, more: object = {}): Promise<string> {
  const content = `${word} is what this memory says`
  return String((await write('POST /api/memory/remember', { content, ...more }))['id'])
}
