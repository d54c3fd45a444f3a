import { access } from 'node:fs/promises'
import { harnesses } from './harness.ts'
import type { HarnessesNeeds } from './needs.ts'

export interface HarnessFile {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly exists: boolean
  /** Last activity of its sessions, ISO; null without recent sessions. */
  readonly lastSeen: string | null
}

export async function listHarnesses(needs: HarnessesNeeds): Promise<HarnessFile[]> {
  const seen = await needs.lastSeen()
  return Promise.all(
    harnesses.map(async ({ id, name, paths }) => {
      const candidates = paths(needs)
      const existing = await Promise.all(candidates.map(exists))
      const path = candidates[Math.max(0, existing.indexOf(true))] ?? ''
      return { id, name, path, exists: existing.includes(true), lastSeen: seen.get(id) ?? null }
    }),
  )
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    // An inaccessible file counts as missing.
    return false
  }
}
