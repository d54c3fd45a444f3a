import type { TargetModel } from '../config/config.ts'
import type { Price } from '../config/entries.ts'
import type { Executor, Usage } from '../targets/target.ts'

type TokenCounts = Pick<
  Usage,
  'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheCreationTokens'
>

/** Returns USD. */
export type ToCost = (tokens: TokenCounts) => number

export interface PriceTable {
  /** The model's own price, else that of the price table; undefined if neither has one. */
  find(model: TargetModel): Promise<ToCost | undefined>
  /** Without loading the price table; starts to load it. */
  findLoaded(model: TargetModel): ToCost | undefined
}

type Library = typeof import('@pydantic/genai-prices')

const million = 1_000_000
const providers: Readonly<Partial<Record<Executor, string>>> = {
  openai: 'openai',
  openrouter: 'openrouter',
  anthropic: 'anthropic',
  google: 'google',
}

/** Local targets cost nothing, unless the local server sends the calls of a model away. */
export function isFree({ target, privacy }: TargetModel): boolean {
  return target.kind === 'local' && privacy === target.privacy
}

/** The price table is large, so it is loaded with the first call that needs it. */
export function createPriceTable(): PriceTable {
  const state: { library?: Library; loading?: Promise<Library> } = {}
  const load = async () => {
    state.loading ??= import('@pydantic/genai-prices')
    state.library = await state.loading
    return state.library
  }
  const findOwn = (model: TargetModel): ToCost | undefined => {
    if (isFree(model)) return () => 0
    const { price } = model.model
    return price && ((tokens) => toCost(price, tokens))
  }
  return {
    find: async (model) => findOwn(model) ?? findListed(await load(), model),
    findLoaded: (model) => {
      const own = findOwn(model)
      if (own || state.library) return own ?? (state.library && findListed(state.library, model))
      void load()
      return undefined
    },
  }
}

function toCost(price: Price, tokens: TokenCounts): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = tokens
  const parts = [
    [inputTokens, input],
    [outputTokens, output],
    [cacheReadTokens, cacheRead],
    [cacheCreationTokens, cacheWrite],
  ] as const
  return parts.reduce((sum, [count, usd]) => sum + (count ?? 0) * usd, 0) / million
}

function findListed({ calcPrice }: Library, { target, model }: TargetModel): ToCost | undefined {
  const providerId = providers[target.executor]
  const { endpoint } = target
  if (providerId === undefined && endpoint === undefined) return undefined
  const provider = providerId === undefined ? { providerApiUrl: endpoint ?? '' } : { providerId }
  const calculate = ({
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheCreationTokens,
  }: TokenCounts) => {
    const [read, write] = [cacheReadTokens ?? 0, cacheCreationTokens ?? 0]
    const usage = {
      // The table counts cached tokens as input tokens too.
      input_tokens: (inputTokens ?? 0) + read + write,
      output_tokens: outputTokens ?? 0,
      ...(read > 0 && { cache_read_tokens: read }),
      ...(write > 0 && { cache_write_tokens: write }),
    }
    return calcPrice(usage, model.model, provider)?.total_price
  }
  const isListed = calculate(zeroTokens) !== undefined
  return isListed ? (tokens) => calculate(tokens) ?? 0 : undefined
}

const zeroTokens: TokenCounts = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
}
