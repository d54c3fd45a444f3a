import { readFile } from 'node:fs/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { isUnanswered } from '../../../client/public/reverie-error.ts'
import { readStallMarker } from '../../hook/daemon.ts'
import { type Call, command } from '../command.ts'
import { toFailure } from '../failure.ts'
import { createHangDetector, type HangDetector } from '../hang-detector.ts'
import { readLines } from '../read-lines.ts'

/** The limits of the daemon: concurrent messages, and bytes of one message. */
const maxConcurrent = 8
const maxMessageBytes = 512 * 1024
/** The codes of JSON-RPC. */
const parseError = -32_700
const serverError = -32_000
const versionKey = 'io.modelcontextprotocol/protocolVersion'
const clientKey = 'io.modelcontextprotocol/clientInfo'

export const mcp = command({
  usage: 'mcp',
  summary: 'Run an MCP server on stdin and stdout that forwards to the daemon',
  examples: ['reverie mcp', 'reverie mcp --agent ada'],
  run: forwardAll,
})

/** Forwards each line to the daemon and each reply to stdout, which carries nothing else. */
async function forwardAll(call: Call): Promise<void> {
  const { output, connect, environment } = call
  const client = await connect()
  const marker = await readStallMarker(environment.workspace, client.url)
  const bridge: Bridge = { call, daemon: createHangDetector(client, marker), origin: readOrigin() }
  const state: { unreachable: unknown } = { unreachable: undefined }
  const pending = new Set<Promise<void>>()
  for await (const { text } of readLines(process.stdin, maxMessageBytes)) {
    if (text === '') continue
    if (pending.size >= maxConcurrent) await Promise.race(pending)
    const forwarded = forward(bridge, text)
      .then((unreachable) => {
        // Printed once, until the daemon replies again.
        if (unreachable && !state.unreachable) output.note(explain(unreachable))
        state.unreachable = unreachable
      })
      .finally(() => pending.delete(forwarded))
    pending.add(forwarded)
  }
  await Promise.all(pending)
  if (state.unreachable) throw state.unreachable
}

interface Bridge {
  readonly call: Pick<Call, 'output' | 'program'>
  readonly daemon: HangDetector
  /** Headers that describe the caller: its project and harness. */
  readonly origin: Record<string, string>
}

/** A harness starts the bridge in the folder of its project. */
function readOrigin(): Record<string, string> {
  return { 'x-svc-project': encodeURIComponent(process.cwd()) }
}

/** Forwards one message and its replies; returns the error if the daemon did not reply. */
async function forward(bridge: Bridge, text: string | undefined): Promise<unknown> {
  const message = parse(text)
  const write = (reply: object) => bridge.call.output.write(`${JSON.stringify(reply)}\n`)
  if (!message) return write(toError(null, 'a message must be one line of JSON, at most 512 KiB'))
  const { id = null } = message
  try {
    const { reply, unanswered } = await send(bridge, message)
    for await (const answer of repliesOf(reply))
      await write(reply.ok ? answer : toRefusal(id, answer))
    return unanswered
  } catch (error) {
    // The sender of a notification expects no reply.
    if (id !== null) await write(toError(id, explain(error)))
    return isUnanswered(error) ? error : undefined
  }
}

/** Sends a message to the daemon. Without a reply, answers messages that need no daemon. */
async function send({ call, daemon, origin }: Bridge, message: Message) {
  const headers = headersOf(message)
  Object.assign(origin, harnessOf(message))
  try {
    return { reply: await daemon.send(message, { ...origin, ...headers }), unanswered: undefined }
  } catch (error) {
    if (!isUnanswered(error)) throw error
    const listed = await readTools()
    if (!listed) throw error
    const { answerOffline } = await import('../../mcp/answer-messages.ts')
    const offline = { version: call.program.version, listed, reason: explain(error) }
    const { signal } = new AbortController()
    const reply = await answerOffline(offline, { body: message, headers, signal })
    return { reply, unanswered: error }
  }
}

/** The tools as listed at build time; undefined without a build. */
async function readTools() {
  const table = new URL('mcp-tools.json', import.meta.url)
  const text = await readFile(table, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The name of the client, from its first message or from each. */
function harnessOf({ params }: Message): Record<string, string> {
  const { clientInfo, _meta } = Object(params)
  const { name } = Object(clientInfo ?? Object(_meta)[clientKey])
  return typeof name === 'string' ? { 'x-svc-harness': name.replaceAll(/[^ -~]+/g, '-') } : {}
}

/** Converts a refusal of the service to an error of JSON-RPC. An existing error gets the id. */
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

/** The fields of a message that newer protocol versions repeat in HTTP headers. */
function headersOf({ method, params }: Message): Record<string, string> {
  const { _meta, name, uri } = Object(params)
  const version: unknown = Object(_meta)[versionKey]
  if (typeof version !== 'string') return {}
  const subject: unknown = name ?? uri
  return {
    'mcp-protocol-version': version,
    'mcp-method': String(method),
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

function explain(error: unknown): string {
  const { error: words, hint } = toFailure(error)
  return hint ? `${words}. ${hint}` : words
}
