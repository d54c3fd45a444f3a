import { EmbeddingFailure } from '../embedder.ts'

/** `$env:NAME` is a variable, `$secret:NAME` a secret; all else is the key itself. */
export function readApiKey(
  written: string | undefined,
  variable: (name: string) => string | undefined,
): string | undefined {
  const { kind, name = '' } =
    /^\$(?<kind>env|secret):(?<name>.+)$/.exec(written ?? '')?.groups ?? {}
  if (kind === undefined) return written
  if (kind === 'secret')
    throw new EmbeddingFailure(
      'provider',
      `embedding.api_key names the secret ${name}, and no secrets are kept yet: $env:NAME names a variable`,
    )
  const value = variable(name)
  if (value !== undefined) return value
  throw new EmbeddingFailure('provider', `embedding.api_key names ${name}, which is not set`)
}
