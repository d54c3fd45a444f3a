import { access } from 'node:fs/promises'
import { harnesses } from './harness.ts'
import type { HarnessesNeeds } from './needs.ts'

export interface HarnessFile {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly exists: boolean
  /** When one of its sessions was heard of last, ISO; null where none was for long. */
  readonly lastSeen: string | null
}

export async function listHarnesses(needs: HarnessesNeeds): Promise<HarnessFile[]> {
  const seen = await needs.lastSeen()
  return Promise.all(
    harnesses.map(async ({ id, name, paths }) => {
      const known = paths(needs)
      const there = await Promise.all(known.map(isThere))
      const path = known[Math.max(0, there.indexOf(true))] ?? ''
      return { id, name, path, exists: there.includes(true), lastSeen: seen.get(id) ?? null }
    }),
  )
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    // What may not be looked at is not there for this daemon.
    return false
  }
}
