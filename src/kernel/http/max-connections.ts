import { readFile } from 'node:fs/promises'

/** For the database and its threads, files, and calls of this process to others. */
const reservedDescriptors = 512

/** How many connections leave enough descriptors for all else; undefined where the limit is unknown. */
export async function readMaxConnections(
  limits = '/proc/self/limits',
): Promise<number | undefined> {
  const text = await readFile(limits, 'utf8').catch(() => '')
  const soft = Number(/^Max open files +(?<soft>\d+)/m.exec(text)?.groups?.['soft'])
  if (!Number.isInteger(soft)) return undefined
  return Math.max(1, soft - Math.min(reservedDescriptors, Math.ceil(soft / 2)))
}
