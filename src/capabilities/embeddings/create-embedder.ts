import { resolve } from 'node:path'
import type { Credentials } from '../../kernel/credentials/credentials.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { pipelineFailed } from '../../kernel/events/pipeline-failure.ts'
import { createBreaker, createTimeoutLatch, type TimeoutLatch } from './breaker.ts'
import type { EmbeddingsConfig } from './config.ts'
import { type Embedder, EmbeddingFailure, textsEmbedded } from './embedder.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import {
  createFallbackState,
  withCachedIdentity,
  withDirectionCheck,
  withFallback,
} from './providers/fallback.ts'
import { createOnnxEmbedder } from './providers/onnx.ts'
import { findPromptFormat, promptFormats, protocols } from './providers/protocol.ts'
import { createRemoteEmbedder } from './providers/remote.ts'
import type { StoredVectors } from './stored-vectors.ts'

type Needs = Pick<
  EmbeddingsNeeds,
  'credentials' | 'events' | 'host' | 'outbound' | 'providerCalls' | 'workspace'
> & {
  readonly storedVectors: StoredVectors
}

/**
 * Creates the configured provider; `bundled` is the default one. Time-out latches and fallback results
 * survive configuration changes until a restart.
 */
export function createEmbedders(needs: Needs, bundled: Embedder) {
  const latches = memoizeByKey(createTimeoutLatch)
  const fallbackStates = memoizeByKey(createFallbackState)
  return (config: EmbeddingsConfig): Embedder | undefined => {
    const { provider } = config
    if (provider === 'none') return undefined
    if (provider === 'static') return bundled
    const embedder =
      provider === 'onnx'
        ? createConfiguredOnnx(needs, config, latches)
        : createConfiguredRemote(needs, { ...config, provider })
    const runtimes = createFallbacks(needs, config, embedder)
    const { model, dimensions, prompt_format } = config
    const state = fallbackStates(JSON.stringify([provider, model, dimensions, prompt_format]))
    const primary = withCachedIdentity(withBreaker(needs, embedder), needs.storedVectors)
    return withFallback(primary, { runtimes, state, storedVectors: needs.storedVectors })
  }
}

/** Returns the same value for the same key. */
function memoizeByKey<Value>(create: () => Value): (key: string) => Value {
  const cache = new Map<string, Value>()
  return (key) => {
    const value = cache.get(key) ?? create()
    cache.set(key, value)
    return value
  }
}

/** Local runtimes at their default addresses, if the outbound settings allow them. */
function createFallbacks(
  needs: Needs,
  { base_url, api_key, ...config }: EmbeddingsConfig,
  { model, baseUrl }: Embedder,
): readonly Embedder[] {
  return (['ollama', 'llama-cpp'] as const)
    .filter((provider) => protocols[provider].baseUrl !== baseUrl)
    .map((provider) =>
      withBreaker(needs, createConfiguredRemote(needs, { ...config, provider, model })),
    )
}

function createConfiguredOnnx(
  { host, workspace }: Needs,
  config: EmbeddingsConfig,
  latches: (folder: string) => TimeoutLatch,
): Embedder {
  const { model = 'models/onnx', prompt_format, timeout_ms: timeoutMs } = config
  const promptFormat = prompt_format && promptFormats[prompt_format]
  const impliedFormat = findPromptFormat(model)
  const folder = resolve(workspace, model)
  const latch = latches(folder)
  return createOnnxEmbedder({ host, folder, promptFormat, impliedFormat, timeoutMs, latch })
}

function createConfiguredRemote(
  needs: Needs,
  config: EmbeddingsConfig & { readonly provider: keyof typeof protocols },
): Embedder {
  const protocol = protocols[config.provider]
  const { model = protocol.model, base_url: baseUrl = protocol.baseUrl, prompt_format } = config
  return createRemoteEmbedder({
    outbound: needs.outbound,
    protocol,
    model,
    baseUrl,
    dims: config.dimensions,
    promptFormat: prompt_format && promptFormats[prompt_format],
    timeoutMs: config.timeout_ms,
    apiKey: () => readApiKey(config.api_key, needs.credentials),
    onEmbedded: (kind, tokens) => needs.events.emit(textsEmbedded, { kind, tokens }),
  })
}

function withBreaker(needs: Needs, provider: Embedder): Embedder {
  const breaker = createBreaker(needs.host)
  const embedder = withDirectionCheck(withRecord(needs, provider))
  return {
    ...embedder,
    identity: () => breaker.run(embedder.identity, { isProbe: true, mayBeCached: true }),
    embed: (request) => breaker.run(() => embedder.embed(request), request),
    reset: breaker.close,
  }
}

/** Records the outcome of each call. A rejected text is no failure of its provider. */
function withRecord({ events, host, providerCalls }: Needs, embedder: Embedder): Embedder {
  if (!providerCalls) return embedder
  const { provider } = embedder
  return {
    ...embedder,
    embed: async (request) => {
      const startedAt = host.now().getTime()
      const add = (outcome: 'success' | 'failure' | 'timeout') =>
        providerCalls.add({ provider, outcome, durationMs: host.now().getTime() - startedAt })
      const addFailure = (error: unknown) => {
        if (error instanceof EmbeddingFailure && error.kind === 'text') return add('success')
        const isLate = hasTimedOut(error)
        add(isLate ? 'timeout' : 'failure')
        const code = isLate ? 'EMBEDDING_TIMEOUT' : 'EMBEDDING_PROVIDER_DOWN'
        events.emit(pipelineFailed, { code, agentId: null })
      }
      try {
        const vectors = await embedder.embed(request)
        add('success')
        return vectors
      } catch (error) {
        if (!request.signal?.aborted) addFailure(error)
        throw error
      }
    },
  }
}

function hasTimedOut(error: unknown): boolean {
  const cause = error instanceof EmbeddingFailure ? error.cause : error
  return cause instanceof Refusal && cause.code === 'outbound_timeout'
}

/** Resolves a reference or the name of a credential. Any other value is the key itself. */
async function readApiKey(
  setting: string | undefined,
  credentials: Pick<Credentials, 'resolve'>,
): Promise<string | undefined> {
  if (setting === undefined) return undefined
  const value = await resolveReference(setting, credentials)
  if (value !== undefined) return value
  const { kind, name } = /^\$(?<kind>env|secret):(?<name>.*)$/.exec(setting)?.groups ?? {}
  if (kind === undefined) return setting
  throw new EmbeddingFailure(
    'provider',
    kind === 'env'
      ? `embedding.api_key names ${name}, which is not set`
      : `embedding.api_key names the secret ${name}, which does not exist. Use $env:NAME for a variable`,
  )
}

async function resolveReference(setting: string, credentials: Pick<Credentials, 'resolve'>) {
  try {
    return await credentials.resolve(setting)
  } catch (cause) {
    throw new EmbeddingFailure('provider', 'embedding.api_key could not be read', { cause })
  }
}
