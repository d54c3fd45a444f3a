import { threadId } from 'node:worker_threads'
import type { PoolClient } from 'pg'

const numbers = new Map<string, number>()
let clients = 0

/** Has the server parse and plan a frequent statement once for each connection. Takes a bounded number of texts. */
export function prepareStatement(sql: string): void {
  if (!numbers.has(sql)) numbers.set(sql, numbers.size)
}

/** Names are unique among all clients, because these may share a session behind a proxy. */
export function usePreparedStatements(client: PoolClient): void {
  const query: (...values: unknown[]) => unknown = client.query.bind(client)
  const prefix = `${process.pid}.${threadId}.${++clients}`
  const send = (text: unknown, values: unknown, ...rest: unknown[]) => {
    const number = typeof text === 'string' ? numbers.get(text) : undefined
    if (number === undefined) return query(text, values, ...rest)
    return query({ name: `${prefix}.${number}`, text, values }, ...rest)
  }
  client.query = send as typeof client.query
}
