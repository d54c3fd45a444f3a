import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { HarnessesNeeds } from './needs.ts'

interface Harness {
  readonly id: string
  readonly name: string
  readonly root: 'home' | 'folder' | 'codexHome'
  /** Candidate settings files; the first that exists is reported, else the first. */
  readonly files: readonly [string, ...string[]]
}

export const harnesses: readonly Harness[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    root: 'home',
    files: ['.claude/settings.json', '.claude/CLAUDE.md'],
  },
  { id: 'opencode', name: 'OpenCode', root: 'home', files: ['.config/opencode/AGENTS.md'] },
  { id: 'openclaw', name: 'OpenClaw', root: 'folder', files: ['AGENTS.md'] },
  { id: 'codex', name: 'Codex CLI', root: 'codexHome', files: ['config.toml'] },
  { id: 'gemini', name: 'Gemini CLI', root: 'home', files: ['.gemini/settings.json'] },
  { id: 'kimi', name: 'Kimi CLI', root: 'home', files: ['.kimi/config.toml'] },
  { id: 'cursor', name: 'Cursor', root: 'home', files: ['.cursor/mcp.json'] },
]

/** Lists each harness with its settings file and its last activity, ISO or null. */
export async function listHarnesses(needs: HarnessesNeeds) {
  const lastSeen = await needs.lastSeen()
  return Promise.all(
    harnesses.map(async ({ id, name, root, files }) => {
      const existing = await Promise.all(files.map((file) => exists(join(needs[root], file))))
      const path = join(needs[root], files[existing.indexOf(true)] ?? files[0])
      return { id, name, path, exists: existing.includes(true), lastSeen: lastSeen.get(id) ?? null }
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
