import { readFile } from 'node:fs/promises'

/** Reserved for the database and its threads, files and outbound connections. */
const reservedDescriptors = 512

/** Returns the maximum number of connections; undefined when the descriptor limit is unknown. */
export async function readMaxConnections(
  limits = '/proc/self/limits',
): Promise<number | undefined> {
  const text = await readFile(limits, 'utf8').catch(() => '')
  const soft = Number(/^Max open files +(?<soft>\d+)/m.exec(text)?.groups?.['soft'])
  if (!Number.isInteger(soft)) return undefined
  return Math.max(1, soft - Math.min(reservedDescriptors, Math.ceil(soft / 2)))
}
