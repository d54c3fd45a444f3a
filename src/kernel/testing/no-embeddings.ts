import { type SqlBool, sql } from 'kysely'

/** The embeddings capability for tests that need no vectors. */
export const noEmbeddings = {
  embedInline: () => undefined,
  embed: async () => false,
  isEmbedded: async () => false,
  activeIdentity: () => '',
  hasVector: () => sql<SqlBool>`1 = 0`,
  modelOf: () => sql<string | null>`null`,
  deleteVectors: () => Promise.resolve(0),
}
