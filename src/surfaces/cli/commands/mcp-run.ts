import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Client } from '../../../client/client.ts'
import { isUnanswered } from '../../../client/public/reverie-error.ts'
import type { Call } from '../command.ts'
import { toFailure } from '../failure.ts'
import { readLines } from '../lines.ts'
import type { Output } from '../output.ts'

/** What the daemon takes at a time, in messages and in bytes of one. */
const mostAtOnce = 8
const longestMessage = 512 * 1024
const probeWithinMs = 2000
/** The codes of JSON-RPC. */
const parseError = -32_700
const serverError = -32_000
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Forwards each line to the daemon and each reply to stdout, which carries nothing else. */
export async function mcp({ output, connect }: Call): Promise<void> {
  const client = await connect()
  const state = { unreachable: await probe(client) }
  if (state.unreachable) output.note(tell(state.unreachable))
  const underWay = new Set<Promise<void>>()
  for await (const { text } of readLines(process.stdin, longestMessage)) {
    if (text === '') continue
    if (underWay.size >= mostAtOnce) await Promise.race(underWay)
    const forwarded = forward(client, output, text)
      .then((unreachable) => {
        state.unreachable = unreachable
      })
      .finally(() => underWay.delete(forwarded))
    underWay.add(forwarded)
  }
  await Promise.all(underWay)
  if (state.unreachable) throw state.unreachable
}

async function probe(client: Client): Promise<unknown> {
  try {
    await client.service.live(probeWithinMs)
    return undefined
  } catch (error) {
    return error
  }
}

/** Gives what kept the daemon from hearing of it, once the sender knows. */
async function forward(client: Client, output: Output, text: string | undefined): Promise<unknown> {
  const message = parse(text)
  const say = (reply: object) => output.write(`${JSON.stringify(reply)}\n`)
  if (!message) return say(toError(null, 'one line of JSON is a message, of at most 512 KiB'))
  const { id = null } = message
  try {
    const reply = await client.mcp.send(message, headersOf(message))
    for await (const answer of repliesOf(reply))
      await say(reply.ok ? answer : toRefusal(id, answer))
    return undefined
  } catch (error) {
    // Who sends a notification waits for nothing.
    if (id !== null) await say(toError(id, tell(error)))
    return isUnanswered(error) ? error : undefined
  }
}

/** A refusal of the service in the words of the protocol; one that is so already gets its id. */
function toRefusal(id: unknown, answer: Reply): object {
  if (answer.jsonrpc !== undefined) return { ...answer, id: answer.id ?? id }
  return toError(id, `${answer.error} (${answer.code})`)
}

function toError(id: unknown, message: string): object {
  return { jsonrpc: '2.0', id, error: { code: id === null ? parseError : serverError, message } }
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

interface Reply {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly error?: unknown
  readonly code?: unknown
}

function parse(text: string | undefined): Message | undefined {
  try {
    const read: unknown = JSON.parse(text ?? '')
    return typeof read === 'object' && read !== null ? (read as Message) : undefined
  } catch {
    return undefined
  }
}

/** What the newer generation of the protocol says twice over HTTP: in the message and beside it. */
function headersOf({ method, params }: Message): Record<string, string> {
  const { _meta, name, uri } = Object(params)
  const version: unknown = Object(_meta)[versionKey]
  if (typeof version !== 'string') return {}
  const subject: unknown = name ?? uri
  return {
    ...{ 'mcp-protocol-version': version, 'mcp-method': String(method) },
    ...(typeof subject === 'string' && { 'mcp-name': subject }),
  }
}

async function* repliesOf(reply: Response): AsyncGenerator<Reply> {
  const type = reply.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) return yield (await reply.json()) as Reply
  if (!type.startsWith('text/event-stream')) return
  const events = reply.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of events ?? []) yield JSON.parse(data) as Reply
}

function tell(error: unknown): string {
  const { error: words, hint } = toFailure(error)
  return hint ? `${words}. ${hint}` : words
}
