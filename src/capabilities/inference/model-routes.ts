import { z } from 'zod'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { flag } from '../../kernel/http/wire-values.ts'
import type { RegistryModel } from './budgets/known-models.ts'
import type { ModelRegistry } from './model-registry.ts'
import type { Logins } from './oauth/index.ts'

const model = z.object({
  id: z.string(),
  provider: z.string(),
  name: z.string(),
  contextWindow: z.number().nullable(),
  deprecated: z.boolean(),
  price: z.object({ input: z.number(), output: z.number() }).optional(),
})

const registryInfo = z.object({
  source: z.literal('static+live'),
  updatedAt: z.string().nullable(),
  providers: z.array(z.string()),
})

const modelsQuery = z.object({ provider: z.string().max(160).optional(), deprecated: flag })
const modelsReply = z.object({ models: z.array(model), registry: registryInfo })
const refreshReply = z.object({ refreshed: z.literal(true), registry: registryInfo })
const throttledReply = z.object({
  error: z.string(),
  code: z.literal('models_throttled'),
  throttled: z.literal(true),
})

const loginProviders = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    usesCallbackServer: z.boolean(),
    connected: z.boolean(),
    error: z.string().optional(),
  }),
)

const catalogModel = z.object({
  id: z.string(),
  name: z.string(),
  contextWindow: z.number().nullable(),
  input: z.array(z.string()),
  reasoning: z.boolean(),
})

const catalogReply = z.object({
  providers: z.array(z.string()),
  models: z.record(z.string(), z.array(catalogModel)),
  modelErrors: z.record(z.string(), z.string()),
  recommendedModels: z.record(z.string(), z.string()),
  oauthProviders: loginProviders,
  agentClients: z.array(z.string()),
})

const agentClients = ['claude', 'codex', 'opencode', 'gemini', 'pi', 'openclaw', 'kimi']

interface ModelRouteNeeds {
  readonly registry: ModelRegistry
  readonly logins: Pick<Logins, 'list'>
}

export function modelRoutes({ registry, logins }: ModelRouteNeeds): readonly Route[] {
  return [
    route({
      name: 'inference.catalog',
      method: 'GET',
      path: '/api/inference/catalog',
      permission: 'diagnostics',
      summary: 'List known providers and their models, logins and agent CLIs.',
      reply: catalogReply,
      handle: () => readCatalog(registry, logins),
    }),
    route({
      name: 'inference.logins',
      method: 'GET',
      path: '/api/inference/oauth/providers',
      permission: 'diagnostics',
      summary: 'List login providers and whether a login is stored.',
      reply: z.object({ providers: loginProviders }),
      handle: async () => ({ providers: [...(await logins.list())] }),
    }),
    route({
      name: 'pipeline.models',
      method: 'GET',
      path: '/api/pipeline/models',
      permission: 'diagnostics',
      summary: 'List known models with their context windows and prices.',
      query: modelsQuery,
      reply: modelsReply,
      handle: async ({ query }) => {
        const { models, ...listing } = await registry.read()
        return { models: filterModels(models, query), registry: toInfo(listing) }
      },
    }),
    route({
      name: 'pipeline.models-by-provider',
      method: 'GET',
      path: '/api/pipeline/models/by-provider',
      permission: 'diagnostics',
      summary: 'Group the known models by their provider.',
      reply: z.record(z.string(), z.array(model)),
      handle: async () => groupByProvider((await registry.read()).models, (model) => model),
    }),
    route({
      name: 'pipeline.models-refresh',
      method: 'POST',
      path: '/api/pipeline/models/refresh',
      permission: 'admin',
      limit: 'admin',
      summary: 'Refresh the live listings of models, at most once a minute.',
      reply: refreshReply,
      otherReplies: { 429: throttledReply },
      handle: () => refreshModels(registry),
    }),
  ]
}

async function refreshModels(registry: ModelRegistry) {
  const refreshed = await registry.refresh()
  if (refreshed) return { refreshed, registry: toInfo(await registry.read()) } as const
  const error = 'The models were refreshed less than a minute ago.'
  return new Reply<never>(429, { error, code: 'models_throttled', throttled: true } as never, {
    'retry-after': '60',
  })
}

async function readCatalog(registry: ModelRegistry, logins: Pick<Logins, 'list'>) {
  const { models, errors, providers } = await registry.read()
  return {
    providers: [...providers],
    models: groupByProvider(models, toCatalogModel),
    modelErrors: { ...errors },
    recommendedModels: {},
    oauthProviders: [...(await logins.list())],
    agentClients,
  }
}

/** The table does not report inputs and reasoning. */
function toCatalogModel({ id, name, contextWindow }: RegistryModel) {
  return { id, name, contextWindow, input: ['text'], reasoning: false }
}

function groupByProvider<Shown>(
  models: readonly RegistryModel[],
  show: (model: RegistryModel) => Shown,
): Record<string, Shown[]> {
  const groups = [...Map.groupBy(models, ({ provider }) => provider)]
  return Object.fromEntries(groups.map(([provider, some]) => [provider, some.map(show)]))
}

function filterModels(
  models: readonly RegistryModel[],
  { provider, deprecated }: z.output<typeof modelsQuery>,
) {
  return models.filter(
    (model) =>
      (provider === undefined || model.provider === provider) &&
      (deprecated === undefined || model.deprecated === deprecated),
  )
}

function toInfo({
  updatedAt,
  providers,
}: Pick<Awaited<ReturnType<ModelRegistry['read']>>, 'updatedAt' | 'providers'>) {
  return { source: 'static+live' as const, updatedAt, providers: [...providers] }
}
