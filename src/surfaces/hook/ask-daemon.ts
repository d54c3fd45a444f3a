import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Environment } from './environment.ts'
import { NoAnswer } from './no-answer.ts'

export interface Question {
  readonly address: string
  readonly path: string
  readonly runtimePath: string
  readonly body: Readonly<Record<string, unknown>>
}

type Reply = Readonly<Record<string, unknown>>

const mostBytes = 4 * 1_048_576

/** Throws `NoAnswer`: nobody there, a refusal, or something that is no answer of the daemon. */
export async function askDaemon(environment: Environment, question: Question): Promise<Reply> {
  const response = await send(environment, question)
  const text = await readText(response)
  const status = response.statusCode ?? 0
  if (status >= 300) throw new NoAnswer('refused', `status ${status}: ${text.slice(0, 200)}`)
  try {
    const reply: unknown = JSON.parse(text)
    if (typeof reply === 'object' && reply !== null) return reply as Reply
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new NoAnswer('garbage', 'the answer is no JSON object')
}

async function send(environment: Environment, question: Question): Promise<IncomingMessage> {
  const url = new URL(question.path, question.address)
  // An `import` of it would read all it exports, a second HTTP client among them, and take 50 ms.
  const { request } = process.getBuiltinModule(
    url.protocol === 'https:' ? 'node:https' : 'node:http',
  )
  const body = JSON.stringify(question.body)
  const headers = { ...toHeaders(environment, question), 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = request(url, { method: 'POST', headers, agent: false })
    asked.on('response', resolve)
    asked.on('error', (error) => reject(new NoAnswer('offline', error.message)))
    asked.end(body)
  })
}

function toHeaders({ token, agentId, isInternal }: Environment, { runtimePath }: Question) {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-svc-runtime-path': runtimePath,
    'x-svc-actor-type': 'harness',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(agentId && { 'x-svc-agent-id': agentId }),
    ...(isInternal && { 'x-svc-no-hooks': '1' }),
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > mostBytes) throw new NoAnswer('garbage', 'the answer is too long')
    }
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer('garbage', String(error))
  }
  return Buffer.concat(chunks).toString('utf8')
}
