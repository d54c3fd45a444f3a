import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import type { Host } from '../host/host.ts'
import { type Config, type KernelConfig, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { configFiles, type Environment } from './environment.ts'

export interface LiveConfig<Slices extends z.ZodRawShape> {
  /** The last good state of the file; the kernel's part stays as it was at the start. */
  current(): Config<Slices>
  /** Why the file as it is now is not in use; undefined when it is. */
  problem(): string | undefined
  /** Settings of the file that hold only after a restart, such as `auth.mode`. */
  waiting(): readonly string[]
  /** Why a text would not be taken as the settings; undefined when it would. */
  problemOf(file: string, text: string): string | undefined
  /** Looks at the file now. */
  reload(): Promise<void>
  /** Looks whenever the file changes. */
  watch(): void
  close(): void
}

export interface LiveConfigNeeds<Slices extends z.ZodRawShape> {
  readonly started: Config<Slices>
  readonly environment: Environment
  readonly slices: Slices
  readonly host: Pick<Host, 'sleep'>
  onChange(config: Config<Slices>): void
  onProblem(problem: string): void
  onFault(error: unknown): void
}

const lookEveryMs = 1000
/** A file that is still being written differs after this long. */
const restMs = 100

export function createLiveConfig<Slices extends z.ZodRawShape>(
  needs: LiveConfigNeeds<Slices>,
): LiveConfig<Slices> {
  const { started, environment, slices } = needs
  const files = configFiles(started.workspace)
  let current = started
  let problem: string | undefined
  let waiting: readonly string[] = []

  const take = (file: string, text: string): void => {
    try {
      const read = parseConfig({ environment, file, text }, slices)
      waiting = differences(started.kernel, read.kernel)
      problem = undefined
      const before = JSON.stringify(current.capabilities)
      current = Object.freeze({ ...read, kernel: started.kernel })
      if (JSON.stringify(current.capabilities) !== before) needs.onChange(current)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (problem !== error.message) needs.onProblem(error.message)
      problem = error.message
    }
  }
  const reload = async (): Promise<void> => {
    const { file, text } = await readAtRest(files, needs.host)
    take(file, text)
  }
  const look = (): void => {
    reload().catch(needs.onFault)
  }
  return {
    current: () => current,
    problem: () => problem,
    waiting: () => waiting,
    problemOf: (file, text) => problemOf(() => parseConfig({ environment, file, text }, slices)),
    reload,
    watch: () => {
      for (const file of files) watchFile(file, { persistent: false, interval: lookEveryMs }, look)
    },
    close: () => {
      for (const file of files) unwatchFile(file, look)
    },
  }
}

function problemOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

async function readAtRest(files: readonly string[], host: Pick<Host, 'sleep'>) {
  let read = await findText(files)
  for (;;) {
    await host.sleep(restMs)
    const again = await findText(files)
    if (again.text === read.text) return again
    read = again
  }
}

async function findText(files: readonly string[]) {
  for (const file of files)
    try {
      return { file, text: await readFile(file, 'utf8') }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  return { file: files[0] ?? '', text: '' }
}

/** The names of the settings that differ, two levels deep. */
function differences(before: KernelConfig, after: KernelConfig): string[] {
  const flat = (config: KernelConfig) =>
    Object.entries(config).flatMap(([section, settings]) =>
      Object.entries(settings).map(([name, value]) => [`${section}.${name}`, value] as const),
    )
  const now = new Map(flat(after).map(([name, value]) => [name, JSON.stringify(value)]))
  const then = new Map(flat(before).map(([name, value]) => [name, JSON.stringify(value)]))
  const names = new Set([...then.keys(), ...now.keys()])
  return [...names].filter((name) => then.get(name) !== now.get(name)).toSorted()
}
