import { resolve } from 'node:path'
import { createBreaker } from './breaker.ts'
import type { EmbeddingsConfig } from './config.ts'
import type { Embedder } from './embedder.ts'
import { createFuse, type Fuse } from './fuse.ts'
import type { KeptVectors } from './kept-vectors.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { readApiKey } from './providers/api-key.ts'
import { withDirection } from './providers/direction.ts'
import { withKeptIdentity } from './providers/kept-identity.ts'
import { createOnnxEmbedder } from './providers/onnx.ts'
import { findPromptFormat, promptFormats } from './providers/prompt-format.ts'
import { protocols } from './providers/protocol.ts'
import { createRemoteEmbedder } from './providers/remote.ts'
import { createFindings, withStandIn } from './providers/stand-in.ts'

type Needs = Pick<EmbeddingsNeeds, 'host' | 'outbound' | 'variable' | 'secret' | 'workspace'> & {
  readonly kept: KeptVectors
}

/**
 * Makes the provider that is configured; `bundled` is the one that needs no configuration. What was
 * late or asked in vain is so for whatever it makes later, as long as the service runs.
 */
export function createEmbedders(needs: Needs, bundled: Embedder) {
  const fuses = onceEach(createFuse)
  const findings = onceEach(createFindings)
  return (config: EmbeddingsConfig): Embedder | undefined => {
    const { provider } = config
    if (provider === 'none') return undefined
    if (provider === 'static') return bundled
    const embedder =
      provider === 'onnx'
        ? createLocal(needs, config, fuses)
        : createRemote(needs, { ...config, provider })
    const runtimes = createRuntimes(needs, config, embedder)
    const { model, dimensions, prompt_format } = config
    const found = findings(JSON.stringify([provider, model, dimensions, prompt_format]))
    const itself = withKeptIdentity(withBreaker(needs, embedder), needs.kept)
    return withStandIn(itself, { runtimes, findings: found, kept: needs.kept })
  }
}

/** The same for the same key. */
function onceEach<Value>(create: () => Value): (key: string) => Value {
  const made = new Map<string, Value>()
  return (key) => {
    const value = made.get(key) ?? create()
    made.set(key, value)
    return value
  }
}

/** Where the runtimes of this machine usually answer, if the owner has allowed them to be asked. */
function createRuntimes(
  needs: Needs,
  { base_url, api_key, ...config }: EmbeddingsConfig,
  { model, baseUrl }: Embedder,
): readonly Embedder[] {
  return (['ollama', 'llama-cpp'] as const)
    .filter((provider) => protocols[provider].baseUrl !== baseUrl)
    .map((provider) => withBreaker(needs, createRemote(needs, { ...config, provider, model })))
}

function createLocal(
  { host, workspace }: Needs,
  config: EmbeddingsConfig,
  fuses: (folder: string) => Fuse,
): Embedder {
  const { model = 'models/onnx', prompt_format, timeout_ms: timeoutMs } = config
  const promptFormat = prompt_format ? promptFormats[prompt_format] : findPromptFormat(model)
  const folder = resolve(workspace, model)
  return createOnnxEmbedder({ host, folder, promptFormat, timeoutMs, fuse: fuses(folder) })
}

function createRemote(
  needs: Needs,
  config: EmbeddingsConfig & { readonly provider: keyof typeof protocols },
): Embedder {
  const protocol = protocols[config.provider]
  const { model = protocol.model, base_url: baseUrl = protocol.baseUrl, prompt_format } = config
  return createRemoteEmbedder({
    ...{ outbound: needs.outbound, protocol, model, baseUrl },
    dims: config.dimensions,
    promptFormat: prompt_format && promptFormats[prompt_format],
    timeoutMs: config.timeout_ms,
    apiKey: () => readApiKey(config.api_key, needs),
  })
}

/** What fails too often is left alone for a while. */
function withBreaker({ host }: Needs, provider: Embedder): Embedder {
  const breaker = createBreaker(host)
  const embedder = withDirection(provider)
  return {
    ...embedder,
    identity: () => breaker.run(embedder.identity, { isProbe: true, mayBeKnown: true }),
    embed: (request) => breaker.run(() => embedder.embed(request), request),
    tryAgain: breaker.close,
  }
}
