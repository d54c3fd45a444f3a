import type { Price } from '../config/entries.ts'

export interface RegistryModel {
  readonly id: string
  readonly provider: string
  readonly name: string
  readonly contextWindow: number | null
  readonly deprecated: boolean
  readonly price?: Price
}

const providers = ['openai', 'anthropic', 'google', 'openrouter'] as const

/** The models of the price table. It is loaded with the first request for a list. */
export async function listKnownModels(): Promise<RegistryModel[]> {
  const { findProvider } = await import('@pydantic/genai-prices')
  return providers.flatMap((provider) =>
    (findProvider({ providerId: provider })?.models ?? []).map((model) => ({
      id: model.id,
      provider,
      name: model.name ?? model.id,
      contextWindow: model.context_window ?? null,
      deprecated: model.deprecated ?? false,
      ...toPrice(model.prices),
    })),
  )
}

/** Only plain prices: others depend on the time or the size of a call. */
function toPrice(prices: object): Pick<RegistryModel, 'price'> {
  const { input_mtok, output_mtok }: Record<string, unknown> = { ...prices }
  if (typeof input_mtok !== 'number' || typeof output_mtok !== 'number') return {}
  return { price: { input: input_mtok, output: output_mtok } }
}
