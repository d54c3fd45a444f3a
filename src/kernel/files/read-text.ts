import { readFile, stat } from 'node:fs/promises'
import { hasCode } from '../errors/system-error.ts'

const maxBytes = 1_048_576

/**
 * Returns an empty text for a missing or oversized file. Throws `EISDIR` for a folder, a pipe or a
 * device.
 */
export async function readText(file: string): Promise<string> {
  try {
    const stats = await stat(file)
    if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
    return stats.size > maxBytes ? '' : await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}

/** Returns whether the value is an object with fields: no list and not null. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
