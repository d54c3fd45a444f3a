import { z } from 'zod'
import type { Host } from '../../kernel/host/host.ts'
import { createFetch } from '../../kernel/outbound/create-fetch.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { listKnownModels, type RegistryModel } from './budgets/known-models.ts'
import type { InferenceConfig, TargetConfig } from './config/config.ts'
import { type CredentialNeeds, readCredential } from './runtime/credential.ts'
import type { LiveSettings } from './runtime/live-settings.ts'
import type { Executor } from './targets/target.ts'

interface Listing {
  readonly models: readonly RegistryModel[]
  /** Why the listing of a provider failed. */
  readonly errors: Readonly<Record<string, string>>
  readonly providers: readonly string[]
  readonly updatedAt: string | null
}

export interface ModelRegistry {
  /**
   * The static table with the live listings of the configured targets, at most an hour old. After a
   * failed listing, at most a minute.
   */
  read(): Promise<Listing>
  /** False if the last refresh is less than a minute old. */
  refresh(): Promise<boolean>
}

interface RegistryNeeds extends CredentialNeeds {
  readonly host: Pick<Host, 'now'>
  readonly outbound: Pick<Outbound, 'open'>
  readonly settings: LiveSettings
}

const cacheMs = 3_600_000
const cooldownMs = 60_000
const timeoutMs = 5_000
const maxBytes = 8_388_608
const maxModels = 2_000

interface Cached {
  readonly config: InferenceConfig
  readonly at: number
  readonly listing: Promise<Listing>
}

export function createModelRegistry(needs: RegistryNeeds): ModelRegistry {
  const state: { cached?: Cached; refreshedAt?: number } = {}
  const now = () => needs.host.now().getTime()
  const load = () => {
    const config = needs.settings.current()
    state.cached = { config, at: now(), listing: readListing(needs, config) }
    return state.cached.listing
  }
  return {
    read: async () => {
      const { cached } = state
      if (cached?.config !== needs.settings.current()) return await load()
      const listing = await cached.listing
      const maxAgeMs = Object.keys(listing.errors).length > 0 ? cooldownMs : cacheMs
      return now() - cached.at < maxAgeMs ? listing : await load()
    },
    refresh: async () => {
      if (state.refreshedAt !== undefined && now() - state.refreshedAt < cooldownMs) return false
      state.refreshedAt = now()
      await load()
      return true
    },
  }
}

async function readListing(needs: RegistryNeeds, config: InferenceConfig): Promise<Listing> {
  const remote = [...config.targets.values()].filter(({ endpoint }) => endpoint !== undefined)
  const live = await Promise.all(remote.map((target) => readTarget(needs, config, target)))
  const known = await listKnownModels()
  const merged = new Map(known.map((model) => [`${model.provider} ${model.id}`, model]))
  for (const { models } of live)
    for (const model of models) {
      const key = `${model.provider} ${model.id}`
      merged.set(key, { ...model, ...merged.get(key) })
    }
  const errors = live.flatMap(({ provider, error }) => (error ? [[provider, error]] : []))
  const models = [...merged.values()]
  return {
    models,
    errors: Object.fromEntries(errors),
    providers: [...new Set([...models, ...live].map(({ provider }) => provider))].toSorted(),
    updatedAt: needs.host.now().toISOString(),
  }
}

interface Live {
  readonly provider: string
  readonly models: readonly RegistryModel[]
  readonly error?: string
}

const namedProviders: readonly Executor[] = ['openai', 'openrouter', 'anthropic', 'google']

async function readTarget(
  needs: RegistryNeeds,
  config: InferenceConfig,
  target: TargetConfig,
): Promise<Live> {
  const provider = namedProviders.includes(target.executor) ? target.executor : target.id
  try {
    const ids = await fetchIds(needs, config, target)
    if (ids.length === 0) return { provider, models: [], error: 'The provider lists no model.' }
    const models = ids.slice(0, maxModels).map((id) => {
      const unknown = { contextWindow: null, deprecated: false }
      return { id, provider, name: id, ...unknown }
    })
    return { provider, models }
  } catch {
    return { provider, models: [], error: 'The provider did not list its models.' }
  }
}

const openAiList = z.object({ data: z.array(z.object({ id: z.string().max(512) })) })
const namedList = z.object({ models: z.array(z.object({ name: z.string().max(512) })) })

async function fetchIds(
  needs: RegistryNeeds,
  config: InferenceConfig,
  { executor, endpoint = '', account: id = '' }: TargetConfig,
): Promise<string[]> {
  const account = config.accounts.get(id)
  const credential = account && (await readCredential(needs, config, account))
  const { origin } = new URL(endpoint)
  const { outbound } = needs
  const fetch = createFetch({ outbound, origin, allowLoopback: true, timeoutMs, maxBytes })
  const path = executor === 'ollama' ? '/api/tags' : '/models'
  const reply = await fetch(`${endpoint}${path}`, { headers: toHeaders(executor, credential) })
  if (!reply.ok) {
    await reply.body?.cancel()
    throw new Error(`status ${reply.status}`)
  }
  const body: unknown = await reply.json()
  if (executor !== 'ollama' && executor !== 'google')
    return openAiList.parse(body).data.map(({ id }) => id)
  return namedList.parse(body).models.map(({ name }) => name.replace(/^models\//, ''))
}

function toHeaders(executor: Executor, credential: string | undefined): Record<string, string> {
  const version: Record<string, string> =
    executor === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}
  if (credential === undefined) return version
  if (executor === 'anthropic') return { ...version, 'x-api-key': credential }
  if (executor === 'google') return { 'x-goog-api-key': credential }
  return { authorization: `Bearer ${credential}` }
}
