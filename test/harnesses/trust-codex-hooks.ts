import { spawn } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Lab } from './lab.ts'

interface CodexHook {
  readonly key: string
  readonly currentHash: string
}

/** Trusts the hooks as a user does in `/hooks`, with the hashes that Codex itself computes. */
export async function trustCodexHooks(program: string, { home, variables }: Lab): Promise<void> {
  const hooks = await listHooks(program, { home, variables })
  const states = hooks.map(
    ({ key, currentHash }) => `\n[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`,
  )
  await appendFile(join(home, '.codex', 'config.toml'), states.join(''))
}

async function listHooks(
  program: string,
  { home, variables }: Pick<Lab, 'home' | 'variables'>,
): Promise<readonly CodexHook[]> {
  const child = spawn(program, ['app-server'], {
    env: variables,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const clientInfo = { name: 'lab', version: '1' }
  for (const message of [
    { id: 1, method: 'initialize', params: { clientInfo } },
    { method: 'initialized' },
    { id: 2, method: 'hooks/list', params: { cwds: [join(home, 'project')] } },
  ])
    child.stdin.write(`${JSON.stringify(message)}\n`)
  try {
    for await (const line of createInterface(child.stdout)) {
      const { id, result } = JSON.parse(line)
      if (id === 2) return result.data[0].hooks
    }
  } finally {
    child.kill()
  }
  throw new Error('Codex has listed no hooks.')
}
