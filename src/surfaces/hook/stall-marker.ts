import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Later hooks read it to learn that the daemon accepts connections but does not answer. */
export interface StallMarker {
  /** True when a hook timed out at this address in the last 30 s. */
  readonly isSet: boolean
  set(): Promise<void>
  clear(): Promise<void>
}

const lifetimeMs = 30_000

/** The file holds the address, so that a daemon at another address is not affected. */
export async function readStallMarker(workspace: string, address: string): Promise<StallMarker> {
  const file = join(workspace, '.daemon', 'hook-timeout')
  return {
    isSet: await isFresh(file, address),
    set: async () => {
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(file, address, { mode: 0o600 })
      } catch {
        // A workspace that cannot be written to has no marker.
      }
    },
    clear: () => rm(file, { force: true }).catch(() => undefined),
  }
}

async function isFresh(file: string, address: string): Promise<boolean> {
  try {
    const [content, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
    const ageMs = performance.timeOrigin - mtimeMs
    // After a change of the clock the age may be negative.
    return content === address && Math.abs(ageMs) < lifetimeMs
  } catch {
    return false
  }
}
