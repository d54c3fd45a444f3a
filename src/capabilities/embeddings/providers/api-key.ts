import { EmbeddingFailure } from '../embedder.ts'
import type { EmbeddingsNeeds } from '../needs.ts'

/** `$env:NAME` is a variable, `$secret:NAME` a secret; all else is the key itself. */
export async function readApiKey(
  written: string | undefined,
  { variable, secret }: Pick<EmbeddingsNeeds, 'variable' | 'secret'>,
): Promise<string | undefined> {
  const { kind, name = '' } =
    /^\$(?<kind>env|secret):(?<name>.+)$/.exec(written ?? '')?.groups ?? {}
  if (kind === undefined) return written
  const value = kind === 'env' ? variable(name) : await secret?.(name)
  if (value !== undefined) return value
  throw new EmbeddingFailure(
    'provider',
    kind === 'env'
      ? `embedding.api_key names ${name}, which is not set`
      : `embedding.api_key names the secret ${name}, which is not kept: $env:NAME names a variable`,
  )
}
