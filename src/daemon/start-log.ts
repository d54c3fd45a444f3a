import { fstat, stat } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../kernel/errors/has-code.ts'

const startLog = join('.daemon', 'start.log')

/**
 * Whether this descriptor is the start log, from which a background start reports errors. The file
 * has no rotation, so the running daemon must not write to it.
 */
export async function isStartLog(descriptor: number, workspace: string): Promise<boolean> {
  try {
    const file = await promisify(stat)(join(workspace, startLog))
    const opened = await promisify(fstat)(descriptor)
    return opened.dev === file.dev && opened.ino === file.ino
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
