import type { Credentials } from '../../../kernel/credentials/credentials.ts'
import { EmbeddingFailure } from '../embedder.ts'

/** Resolves a reference or the name of a credential. Any other value is the key itself. */
export async function readApiKey(
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
