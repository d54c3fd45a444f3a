import { type SqlBool, sql } from 'kysely'

/** For who needs somebody that makes vectors: nobody does. */
export const noEmbeddings = {
  embed: async () => false,
  isEmbedded: async () => false,
  hasVector: () => sql<SqlBool>`1 = 0`,
  drop: () => Promise.resolve(),
}
