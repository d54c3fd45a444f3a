import { EmbeddingFailure } from '../embedder.ts'
import type { EmbeddingsNeeds } from '../needs.ts'

/** Resolves `$env:NAME` and `$secret:NAME`; any other value is the key. */
export async function readApiKey(
  setting: string | undefined,
  { variable, secret }: Pick<EmbeddingsNeeds, 'variable' | 'secret'>,
): Promise<string | undefined> {
  const { kind, name = '' } =
    /^\$(?<kind>env|secret):(?<name>.+)$/.exec(setting ?? '')?.groups ?? {}
  if (kind === undefined) return setting
  const value = kind === 'env' ? variable(name) : await secret?.(name)
  if (value !== undefined) return value
  throw new EmbeddingFailure(
    'provider',
    kind === 'env'
      ? `embedding.api_key names ${name}, which is not set`
      : `embedding.api_key names the secret ${name}, which does not exist. Use $env:NAME for a variable`,
  )
}
