import { startModelUpstream } from './model-upstream.ts'
import { type Ask, startService } from './start-service.ts'

/** The credential of the fake providers. */
export const modelKey = ['synthetic', 'canary', 'key', '0123456789'].join('-')
export const phrase = 'the canary phrase of this prompt'
export const admin = { role: 'admin' } as const

/** A service with two remote targets, `a/m` and `b/m`, and a local one, all at fake providers. */
export async function startInferenceService() {
  const first = await startModelUpstream()
  const second = await startModelUpstream()
  const settings = toSettings(first.url, second.url)
  const service = await startService({
    env: { MODEL_KEY: modelKey, SVC_INFERENCE_MAX_CONCURRENT_EXECUTES: '2' },
    config: {
      inference: settings,
      auth: {
        rateLimits: { inferenceExecute: { max: 10_000 }, inferenceExplain: { max: 10_000 } },
      },
    },
  })
  const ask = (operation: string, body?: unknown, more: Ask = {}) =>
    service.ask(operation, { ...admin, ...(body !== undefined && { body }), ...more })
  const execute = (body: object = {}) =>
    ask('POST /api/inference/execute', { prompt: phrase, ...body })
  return {
    service,
    first,
    second,
    settings,
    ask,
    execute,
    status: async () => (await ask('GET /api/inference/status')).body,
    /** Calls that are running. */
    active: async () => {
      const { body } = await ask('GET /api/inference/status')
      return (body as { concurrency: { active: { total: number } } }).concurrency.active.total
    },
    /** A success ends a circuit and the mark of an account. */
    clearStates: async () => {
      for (const ref of ['a/m', 'b/m']) {
        const { status } = await execute({ explicitTargets: [ref] })
        if (status !== 200) throw new Error(`${ref} answered ${status}`)
      }
    },
    openStream: (body: object = {}, signal?: AbortSignal) =>
      fetch(`${service.url}/api/inference/stream`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.tokenFor('admin')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ prompt: phrase, ...body }),
        ...(signal && { signal }),
      }),
    healProviders: () => {
      first.fail()
      second.fail()
    },
    stop: async () => {
      await service.stop()
      await Promise.all([first.stop(), second.stop()])
    },
  }
}

function toSettings(first: string, second: string) {
  const models = { m: { model: 'model-a', price: { input: 1, output: 2 } } }
  const remote = { executor: 'openai-compatible', account: 'key', models }
  return {
    accounts: { key: { credentialRef: '$env:MODEL_KEY' } },
    targets: {
      a: { ...remote, endpoint: `${first}/v1` },
      b: { ...remote, endpoint: `${second}/v1` },
      home: { executor: 'ollama', endpoint: second, models: { small: { model: 'tiny' } } },
    },
    policies: { auto: { mode: 'strict', defaultTargets: ['a/m', 'b/m'] } },
    limits: { firstByteMs: 1_000 },
    budgets: { spent: { agent: 'poor', maxTokens: 1 } },
  }
}

/** The named events of a stream. */
export function parseEvents(text: string) {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('event: '))
    .map((frame) => {
      const [, event = '', data = ''] = /^event: (\S+)\ndata: (.*)$/s.exec(frame) ?? []
      return { event, data: JSON.parse(data) }
    })
}
