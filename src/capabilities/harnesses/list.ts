import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import type { Heartbeats } from './heartbeat.ts'
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

export const healthReply = z.object({
  id: z.string(),
  /** Its settings file exists. */
  detected: z.boolean(),
  /** Its settings name this program. */
  installed: z.boolean(),
  lastSeen: z.string().nullable(),
  /** What its plugin reports; only for openclaw. */
  heartbeat: z.looseObject({ status: z.string() }).optional(),
})

type HealthNeeds = HarnessesNeeds & { readonly heartbeats: Pick<Heartbeats, 'read'> }

export async function readHarnessHealth(
  needs: HealthNeeds,
  id: string,
): Promise<z.input<typeof healthReply>> {
  const listed = (await listHarnesses(needs)).find((harness) => harness.id === id)
  if (!listed) throw unknownHarness()
  const harness = harnesses.find((harness) => harness.id === id)
  const files = [...(harness?.files ?? []), ...(hookFiles[id] ?? [])]
  const root = needs[harness?.root ?? 'home']
  const texts = await Promise.all(files.map((file) => readFileIfPresent(join(root, file))))
  const { exists: detected, lastSeen } = listed
  const installed = texts.some((text) => /\breverie\b/.test(text))
  const base = { id, detected, installed, lastSeen }
  return id === 'openclaw' ? { ...base, heartbeat: await needs.heartbeats.read() } : base
}

export function assertHarness(id: string): void {
  if (!harnesses.some((harness) => harness.id === id)) throw unknownHarness()
}

function unknownHarness(): Refusal {
  const names = harnesses.map((harness) => harness.id).join(', ')
  return new Refusal('not_found', 'harness_not_found', `The harness is unknown. Use ${names}.`)
}

/** Files below the root in which `reverie install` writes hooks. */
const hookFiles: Readonly<Record<string, readonly string[]>> = {
  codex: ['hooks.json'],
  cursor: ['.cursor/hooks.json'],
  opencode: ['.config/opencode/plugins/reverie.js', '.config/opencode/plugin/reverie.js'],
}

async function readFileIfPresent(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const absent = ['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR']
    if (absent.some((code) => hasCode(error, code))) return ''
    throw error
  }
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
