import { type SqlBool, sql } from 'kysely'

/** For who needs somebody that makes vectors: nobody does. */
export const noEmbeddings = {
  embedAtOnce: () => undefined,
  embed: async () => false,
  isEmbedded: async () => false,
  hasVector: () => sql<SqlBool>`1 = 0`,
  modelOf: () => sql<string | null>`null`,
  drop: () => Promise.resolve(),
}
