import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { commandEnvironment } from '../../../kernel/process/environment.ts'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { runProcess } from '../../../kernel/process/run-process.ts'
import { type PackageManager, packageManagers } from '../config.ts'
import type { SkillsNeeds } from '../needs.ts'

type RunNeeds = Pick<SkillsNeeds, 'host' | 'children' | 'config' | 'variables' | 'pass'>

export interface PackageRequest {
  readonly name: string
  /** The package: a name, or `owner/repository`. */
  readonly source: string
  /** An empty folder that serves as the home of the program. */
  readonly home: string
}

interface PackageRun {
  readonly output: string
  /** Why it failed. */
  readonly error?: string
}

const timeoutMs = 60_000
const maxOutputLength = 4_000

/** The program and its first arguments, by package manager. */
const commands: Readonly<Record<PackageManager, readonly [program: string, ...string[]]>> = {
  bun: ['bunx', 'skills'],
  pnpm: ['pnpm', 'dlx', 'skills'],
  yarn: ['yarn', 'dlx', 'skills'],
  npm: ['npm', 'exec', '--yes', '--', 'skills'],
}

/** Runs `skills add` in its own home. Refuses `package_manager_missing`. */
export async function addPackage(needs: RunNeeds, request: PackageRequest): Promise<PackageRun> {
  const { name, source, home } = request
  const variables = commandEnvironment(needs.variables(), needs.pass())
  const { command, first } = await findManager(needs.config().packageManager, variables)
  const isRepository = /^[^/]+\/[^/]+$/.test(source)
  const args = [
    ...first,
    'add',
    source,
    ...(isRepository ? ['--skill', name] : []),
    '--global',
    '--yes',
  ]
  const { code, stdout, stderr, timedOut } = await runProcess(needs, {
    purpose: 'skill install',
    command,
    args,
    cwd: home,
    env: toEnvironment(variables, home),
    timeoutMs,
  })
  const text = stripVTControlCharacters(`${stdout}${stderr}`)
  const output = text.trim().slice(-maxOutputLength).toWellFormed()
  if (timedOut)
    return { output, error: `The package manager took longer than ${timeoutMs / 1000} seconds.` }
  if (code !== 0) return { output, error: `The package manager ended with code ${code}: ${output}` }
  return { output }
}

async function findManager(
  configured: PackageManager | undefined,
  variables: Readonly<Record<string, string>>,
) {
  for (const manager of configured ? [configured] : packageManagers) {
    const [program, ...first] = commands[manager]
    const command = await findProgram(program, variables)
    if (command !== undefined) return { command, first }
  }
  const names = configured ?? packageManagers.join(', ')
  throw new Refusal(
    'unavailable',
    'package_manager_missing',
    `No package manager is installed: ${names}. Install one, or install from a folder.`,
  )
}

/** The home is the staging folder. Caches are those of the user, so that nothing is loaded twice. */
function toEnvironment(variables: Readonly<Record<string, string>>, home: string) {
  const { HOME: userHome = '' } = variables
  const own = Object.entries(variables).filter(([name]) => !name.startsWith('XDG_'))
  return {
    ...Object.fromEntries(own),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_RUNTIME_DIR: home,
    // Without a network the program ends before the deadline.
    npm_config_fetch_retries: '1',
    npm_config_fetch_timeout: '15000',
    GIT_TERMINAL_PROMPT: '0',
    npm_config_cache: join(userHome, '.npm'),
    BUN_INSTALL_CACHE_DIR: join(userHome, '.bun', 'install', 'cache'),
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
    DISABLE_TELEMETRY: '1',
    CI: '1',
  }
}
