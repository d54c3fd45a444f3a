import { unwatchFile, watchFile } from 'node:fs'
import type { z } from 'zod'
import type { Host } from '../host/host.ts'
import type { RenamedSetting } from './aliases.ts'
import {
  type Config,
  type KernelConfig,
  kernelSections,
  listSettingIssues,
  parseConfig,
  type SettingIssue,
} from './config.ts'
import type { Environment } from './environment.ts'
import { valueAt } from './raw-settings.ts'
import {
  listSettingSchemas,
  type SettingSchema,
  type SettingsSection,
  type UnknownSetting,
} from './settings.ts'
import { ConfigError, configFiles, findSettings } from './workspace.ts'

interface ConfigChange {
  /** The top-level names of the changed settings, such as `memory`. */
  readonly sections: readonly string[]
}

export interface LiveConfig {
  /** The last valid state of the file. The settings of the kernel are those of the start. */
  current(): Config
  /** The current settings of one section. Call it again for each use. */
  read<Schema extends z.ZodType>(section: SettingsSection<Schema>): z.output<Schema>
  /** Why the current file is not in use; undefined when it is. */
  problem(): string | undefined
  /** Changed settings of the file that take effect after a restart, such as `auth.mode`. */
  waiting(): readonly string[]
  /** Keys of the file that no module declares. */
  unknownSettings(): readonly UnknownSetting[]
  /** Settings that the file has under their old names. */
  renamedSettings(): readonly RenamedSetting[]
  /** Validates a text as the settings without applying it. */
  examine(file: string, text: string): Examined
  /** The schemas of all settings. */
  schemas(): readonly SettingSchema[]
  /** Calls the listener after each change that takes effect immediately. */
  onChange(listener: (change: ConfigChange) => void): void
  /** Reads the file now. */
  reload(): Promise<void>
  /** Polls the file for changes. */
  watch(): void
  close(): void
}

interface Examined {
  /** Why the text is invalid; undefined when it is valid. */
  readonly problem?: string
  /** Every invalid setting. */
  readonly issues: readonly SettingIssue[]
  /** Its settings that take effect after a restart. */
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

const pollMs = 1000
/** A file that is unchanged for this long counts as complete. */
const settleMs = 100

export function createLiveConfig(needs: LiveConfigNeeds): LiveConfig {
  const { started, environment, sections } = needs
  const files = configFiles(started.workspace)
  let current = started
  let problem: string | undefined
  let waiting: readonly string[] = []
  let schemas: readonly SettingSchema[] | undefined
  const listeners: ((change: ConfigChange) => void)[] = []

  const parse = (file: string, text: string) =>
    catchConfigError(() => parseConfig({ environment, file, text }, sections))
  const waitingIn = (read: Config) => listWaiting({ started, sections }, read)
  const refuse = ({ message }: ConfigError): void => {
    if (problem !== message) needs.onProblem(message)
    problem = message
  }
  const apply = (file: string, text: string): void => {
    const read = parseConfig({ environment, file, text }, sections)
    waiting = waitingIn(read)
    problem = undefined
    const changed = changedSections(current.sections, read.sections)
    current = Object.freeze({ ...read, kernel: started.kernel })
    if (changed.length > 0) for (const listen of listeners) listen({ sections: changed })
  }
  const reload = async (): Promise<void> => {
    try {
      const { file, text } = await readSettled(started.workspace, needs.host)
      apply(file, text)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      refuse(error)
    }
  }
  const poll = (): void => {
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
      if (read instanceof ConfigError)
        return toInvalid(read, () => listSettingIssues(text, sections))
      return { issues: [], waiting: waitingIn(read), unknownSettings: read.unknownSettings }
    },
    schemas: () => {
      schemas ??= listSettingSchemas(kernelSections, sections)
      return schemas
    },
    onChange: (listener) => {
      listeners.push(listener)
    },
    reload,
    watch: () => {
      for (const file of files) watchFile(file, { persistent: false, interval: pollMs }, poll)
    },
    close: () => {
      for (const file of files) unwatchFile(file, poll)
    },
  }
}

/** A problem of the file as a whole has no key. */
function toInvalid({ message }: ConfigError, list: () => readonly SettingIssue[]): Examined {
  const listed = catchConfigError(list)
  const isWhole = listed instanceof ConfigError || listed.length === 0
  const issues = isWhole ? [{ key: '', message }] : listed
  return { problem: message, issues, waiting: [], unknownSettings: [] }
}

/** Returns a `ConfigError` instead of throwing it. */
function catchConfigError<Result>(run: () => Result): Result | ConfigError {
  try {
    return run()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

/** The settings of the file that take effect after a restart. */
function listWaiting(
  { started, sections }: Pick<LiveConfigNeeds, 'started' | 'sections'>,
  read: Config,
): readonly string[] {
  const changed = sections.flatMap(({ key, restart = [] }) =>
    restart
      .filter(
        (name) =>
          valueAt(started.sections.get(key), name) !== valueAt(read.sections.get(key), name),
      )
      .map((name) => `${key}.${name}`),
  )
  return [...differences(started.kernel, read.kernel), ...changed]
}

async function readSettled(workspace: string, host: Pick<Host, 'sleep'>) {
  let read = await findSettings(workspace)
  for (;;) {
    await host.sleep(settleMs)
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

/** The names of the changed settings, two levels deep. */
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
