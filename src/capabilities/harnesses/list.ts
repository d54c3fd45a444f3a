import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { HarnessesNeeds } from './needs.ts'

interface HarnessFile {
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

interface Harness {
  readonly id: string
  readonly name: string
  /** Candidate settings files; the first that exists is reported, else the first. */
  readonly paths: (
    places: Pick<HarnessesNeeds, 'folder' | 'home' | 'codexHome'>,
  ) => readonly string[]
}

export const harnesses: readonly Harness[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    paths: ({ home }) => ['settings.json', 'CLAUDE.md'].map((name) => join(home, '.claude', name)),
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    paths: ({ home }) => [join(home, '.config', 'opencode', 'AGENTS.md')],
  },
  { id: 'openclaw', name: 'OpenClaw', paths: ({ folder }) => [join(folder, 'AGENTS.md')] },
  { id: 'codex', name: 'Codex CLI', paths: ({ codexHome }) => [join(codexHome, 'config.toml')] },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    paths: ({ home }) => [join(home, '.gemini', 'settings.json')],
  },
  { id: 'kimi', name: 'Kimi CLI', paths: ({ home }) => [join(home, '.kimi', 'config.toml')] },
  { id: 'cursor', name: 'Cursor', paths: ({ home }) => [join(home, '.cursor', 'mcp.json')] },
]
