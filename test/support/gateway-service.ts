import OpenAI, { APIError } from 'openai'
import { expect } from 'vitest'
import { type ModelUpstream, startModelUpstream } from './model-upstream.ts'
import { type Service, startService } from './start-service.ts'

export interface GatewayService {
  readonly service: Service
  readonly upstream: ModelUpstream
  /** Of the provider. */
  readonly key: string
  /** Of an agent, for the gateway and nothing else. */
  readonly token: string
  readonly client: OpenAI
  clientWith(token: string, headers?: Readonly<Record<string, string>>): OpenAI
  /** The last request that the provider received. */
  lastRequest(): Readonly<Record<string, unknown>>
  stop(): Promise<void>
}

const models = {
  accounts: { fake: { kind: 'api', providerFamily: 'fake', credentialRef: 'FAKE_MODEL_KEY' } },
  policies: {
    auto: { mode: 'strict', defaultTargets: ['main/chat', 'local/small'] },
    near: { mode: 'strict', allow: ['local/small'] },
  },
  defaultPolicy: 'auto',
}

/** A daemon with two targets at a fake provider, and official clients of OpenAI for it. */
export async function startGatewayService(): Promise<GatewayService> {
  const key = ['synthetic', 'provider', 'credential', '0123456789'].join('-')
  const upstream = await startModelUpstream()
  const targets = {
    main: {
      executor: 'openai-compatible',
      account: 'fake',
      endpoint: `${upstream.url}/v1`,
      models: { chat: { model: 'model-a', multimodal: true } },
    },
    local: {
      executor: 'ollama',
      endpoint: upstream.url,
      models: { small: { model: 'model-b', toolUse: false } },
    },
  }
  const config = { inference: { ...models, targets } }
  const service = await startService({ config, env: { FAKE_MODEL_KEY: key } })
  const { body } = await service.ask('POST /api/auth/token', {
    role: 'admin',
    body: { role: 'admin', permissions: ['gateway'], scope: { agent: 'ann' } },
  })
  const clientWith: GatewayService['clientWith'] = (apiKey, headers = {}) =>
    new OpenAI({ apiKey, baseURL: `${service.url}/v1`, defaultHeaders: { ...headers } })
  const token = String(body['token'])
  return {
    service,
    upstream,
    key,
    token,
    clientWith,
    client: clientWith(token),
    lastRequest: () => upstream.requests.at(-1)?.body ?? {},
    stop: async () => {
      await service.stop()
      await upstream.stop()
    },
  }
}

export const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where does Ann live?' },
] as const
export const question = { model: 'svc:auto', messages: [...messages] }

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<APIError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(APIError)
  return error as APIError
}

export async function collect(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const all: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}
