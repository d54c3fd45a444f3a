import { fstat, stat } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../kernel/errors/has-code.ts'

const startLog = join('.daemon', 'start.log')

/**
 * Whether this descriptor leads to the file in which a start in the background looks for what went
 * wrong. Nobody looks there once the service is open, and nobody cuts it.
 */
export async function isStartLog(descriptor: number, workspace: string): Promise<boolean> {
  try {
    const file = await promisify(stat)(join(workspace, startLog))
    const own = await promisify(fstat)(descriptor)
    return own.dev === file.dev && own.ino === file.ino
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
