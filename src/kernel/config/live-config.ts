import { unwatchFile, watchFile } from 'node:fs'
import type { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { RenamedSetting } from './aliases.ts'
import { type Config, type KernelConfig, parseConfig, valueAt } from './config.ts'
import { ConfigError } from './config-error.ts'
import type { Environment } from './environment.ts'
import type { SettingsSection, UnknownSetting } from './settings.ts'
import { configFiles, findSettings } from './workspace.ts'

interface ConfigChange {
  /** The top-level names of the settings that differ, such as `memory`. */
  readonly sections: readonly string[]
}

export interface LiveConfig {
  /** The last good state of the file; the kernel's part stays as it was at the start. */
  current(): Config
  /** The settings of one section, as the file has them now. Call it again for each use. */
  read<Schema extends z.ZodType>(section: SettingsSection<Schema>): z.output<Schema>
  /** Why the file as it is now is not in use; undefined when it is. */
  problem(): string | undefined
  /** Changed settings of the file that take effect after a restart, such as `auth.mode`. */
  waiting(): readonly string[]
  /** Keys of the file that no module declares. */
  unknownSettings(): readonly UnknownSetting[]
  /** Settings that the file has under their old names. */
  renamedSettings(): readonly RenamedSetting[]
  /** What would become of a text as the settings. */
  examine(file: string, text: string): Examined
  /** Called after each change that holds at once. */
  onChange(listener: (change: ConfigChange) => void): void
  /** Looks at the file now. */
  reload(): Promise<void>
  /** Looks whenever the file changes. */
  watch(): void
  close(): void
}

interface Examined {
  /** Why it would be refused; undefined when it would not. */
  readonly problem?: string
  /** Its settings that would wait for a restart. */
  readonly waiting: readonly string[]
  readonly unknownSettings: readonly UnknownSetting[]
}

export interface LiveConfigNeeds {
  readonly started: Config
  readonly environment: Environment
  readonly sections: readonly SettingsSection[]
  readonly host: Pick<Host, 'sleep'>
  onProblem(problem: string): void
  onFault(error: unknown): void
}

const lookEveryMs = 1000
/** A file that is the same after this long is taken to be complete. */
const restMs = 100

export function createLiveConfig(needs: LiveConfigNeeds): LiveConfig {
  const { started, environment, sections } = needs
  const files = configFiles(started.workspace)
  let current = started
  let problem: string | undefined
  let waiting: readonly string[] = []
  const listeners: ((change: ConfigChange) => void)[] = []

  const parse = (file: string, text: string) =>
    catchConfigError(() => parseConfig({ environment, file, text }, sections))
  const waitingIn = (read: Config): readonly string[] => [
    ...differences(started.kernel, read.kernel),
    ...sections.flatMap(({ key, restart = [] }) =>
      restart
        .filter(
          (name) =>
            valueAt(started.sections.get(key), name) !== valueAt(read.sections.get(key), name),
        )
        .map((name) => `${key}.${name}`),
    ),
  ]
  const refuse = ({ message }: ConfigError): void => {
    if (problem !== message) needs.onProblem(message)
    problem = message
  }
  const take = (file: string, text: string): void => {
    const read = parseConfig({ environment, file, text }, sections)
    waiting = waitingIn(read)
    problem = undefined
    const changed = changedSections(current.sections, read.sections)
    current = Object.freeze({ ...read, kernel: started.kernel })
    if (changed.length > 0) for (const listen of listeners) listen({ sections: changed })
  }
  const reload = async (): Promise<void> => {
    try {
      const { file, text } = await readAtRest(started.workspace, needs.host)
      take(file, text)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      refuse(error)
    }
  }
  const look = (): void => {
    reload().catch(needs.onFault)
  }
  return {
    current: () => current,
    read: ({ key }) => {
      if (!current.sections.has(key)) throw new Error(`No module declares the settings '${key}'.`)
      return current.sections.get(key) as never
    },
    problem: () => problem,
    waiting: () => waiting,
    unknownSettings: () => current.unknownSettings,
    renamedSettings: () => current.renamedSettings,
    examine: (file, text) => {
      const read = parse(file, text)
      return read instanceof ConfigError
        ? { problem: read.message, waiting: [], unknownSettings: [] }
        : {
            waiting: waitingIn(read),
            unknownSettings: read.unknownSettings,
          }
    },
    onChange: (listener) => {
      listeners.push(listener)
    },
    reload,
    watch: () => {
      for (const file of files) watchFile(file, { persistent: false, interval: lookEveryMs }, look)
    },
    close: () => {
      for (const file of files) unwatchFile(file, look)
    },
  }
}

/** The error itself in place of a result. */
function catchConfigError<Result>(run: () => Result): Result | ConfigError {
  try {
    return run()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

async function readAtRest(workspace: string, host: Pick<Host, 'sleep'>) {
  let read = await findSettings(workspace)
  for (;;) {
    await host.sleep(restMs)
    const again = await findSettings(workspace)
    if (again.text === read.text) return again
    read = again
  }
}

function changedSections(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): string[] {
  const changed = [...after].filter(
    ([key, value]) => JSON.stringify(before.get(key)) !== JSON.stringify(value),
  )
  return [...new Set(changed.map(([key]) => key.replace(/\..*/, '')))]
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
