import { onTestFinished } from 'vitest'
import { type ModelUpstream, startModelUpstream } from '../../../../test/support/model-upstream.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { outboundSettings } from '../../../kernel/outbound/config.ts'
import { createOutbound } from '../../../kernel/outbound/outbound.ts'
import { noChildLedger } from '../../../kernel/testing/no-child-ledger.ts'
import { createTarget } from './index.ts'
import type { Executor, Target, TargetCall, TargetNeeds, TargetPart } from './target.ts'

export const credential = ['synthetic', 'credential', '0123456789'].join('-')
export const prompt = 'Where does Ann live, according to the canary prompt?'

/** The base address of each protocol at the fake provider. */
const basePaths = {
  'openai-compatible': '/v1',
  openai: '/v1',
  openrouter: '/api/v1',
  anthropic: '/v1',
  google: '/v1beta',
  ollama: '',
  'llama-cpp': '/v1',
} as const satisfies Partial<Record<Executor, string>>

export type HttpExecutor = keyof typeof basePaths
export const httpExecutors = Object.keys(basePaths) as HttpExecutor[]

/** One executor of each library. */
export const libraryExecutors = [
  'openai-compatible',
  'openai',
  'anthropic',
  'google',
  'ollama',
] as const satisfies readonly HttpExecutor[]

export async function startUpstream(): Promise<ModelUpstream> {
  const upstream = await startModelUpstream()
  onTestFinished(() => upstream.stop())
  return upstream
}

export async function targetAt(
  upstream: ModelUpstream,
  executor: HttpExecutor,
  changes: Partial<TargetNeeds> = {},
): Promise<Target> {
  const endpoint = upstream.url + basePaths[executor]
  return await createTarget(needsOf({ settings: { id: 'fake', executor, endpoint }, ...changes }))
}

export function needsOf(
  changes: Pick<TargetNeeds, 'settings'> & Partial<TargetNeeds>,
): TargetNeeds {
  const config = outboundSettings.schema.parse({})
  const outbound = createOutbound({ host: realHost, config: () => config })
  onTestFinished(() => outbound.close())
  return {
    credential: async () => credential,
    outbound,
    host: realHost,
    children: noChildLedger,
    variables: {},
    pass: [],
    daemonUrl: 'http://127.0.0.1:1',
    ...changes,
  }
}

export function callOf(changes: Partial<TargetCall> = {}): TargetCall {
  return {
    model: 'model-a',
    agentId: 'ann',
    messages: [{ role: 'user', content: prompt }],
    signal: new AbortController().signal,
    limits: { firstByteMs: 5_000, idleMs: 5_000, maxReplyBytes: 1_000_000, maxTextChars: 100_000 },
    ...changes,
  }
}

export async function collect(parts: AsyncIterable<TargetPart> | undefined): Promise<TargetPart[]> {
  const collected: TargetPart[] = []
  for await (const part of parts ?? []) collected.push(part)
  return collected
}

export function textOfParts(parts: readonly TargetPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')
}

/** Both ways to call a target; each reads the whole reply. */
export const ways = {
  complete: async (target: Target, call: TargetCall) => await target.complete(call),
  stream: async (target: Target, call: TargetCall) => await collect(target.stream?.(call)),
} as const
