import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export type Call = (operation: string, body?: unknown, agent?: string) => Promise<Answer>

/** A keep-alive client that is cheaper than fetch, so that it does not dominate the measurement. */
export function createClient(url: string): Call {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return (operation, body, name = 'bench') => {
    const [method = 'GET', path = '/'] = operation.split(' ')
    const text = body === undefined ? '' : JSON.stringify(body)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const headers = {
      'x-svc-agent-id': name,
      ...(text && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
    }
    request(url + path, { agent, method, headers }, (reply) => {
      json(reply).then(
        (answer) => resolve({ status: reply.statusCode ?? 0, body: answer as Answer['body'] }),
        reject,
      )
    })
      .on('error', reject)
      .end(text)
    return promise
  }
}

/** Like `call`, but throws for an error reply. */
export function throwOnError(call: Call): Call {
  return async (...request) => {
    const answer = await call(...request)
    if (answer.status >= 300)
      throw new Error(`${request[0]}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
}
