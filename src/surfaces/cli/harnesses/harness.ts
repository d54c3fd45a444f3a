import { basename } from 'node:path'
import { toWorkspace } from '../../../kernel/config/workspace.ts'

/** The folders of a user. */
export interface Places {
  readonly home: string
  readonly workspace: string
  readonly claudeHome: string
  /** The state file of Claude Code, which lists its servers. */
  readonly claudeState: string
  readonly codexHome: string
  readonly configHome: string
}

/** Describes the entries that `install` adds to the files of a harness. */
export interface Harness {
  readonly id: string
  readonly name: string
  /** The program on the PATH; none without a program. */
  readonly program?: string
  /** The harness counts as detected if this folder exists. */
  readonly folder: (places: Places) => string
  /** The first file is the one that the output names. */
  readonly files: (places: Places, launcher: Launcher) => readonly FileEdit[]
  /** What the user must do after `install`. */
  readonly notice?: string
}

export type FileEdit = JsonEdit | TomlEdit | WholeFile

export interface JsonEdit {
  readonly form: 'json'
  readonly path: string
  /** Set if the field is absent. */
  readonly defaults?: readonly Entry[]
  readonly entries?: readonly Entry[]
  readonly hooks?: readonly Hook[]
  /** Lists in which earlier versions had a hook. */
  readonly formerHooks?: readonly Omit<Hook, 'value'>[]
}

interface Entry {
  readonly at: readonly string[]
  readonly value: unknown
}

export interface Hook {
  readonly list: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  /** The field of each item that contains a list of hooks; undefined if the items are hooks. */
  readonly group?: string
}

export interface TomlEdit {
  readonly form: 'toml'
  readonly path: string
  readonly table: readonly string[]
  readonly lines: readonly string[]
}

/** A file that Reverie owns completely. Its first line is the marker. */
export interface WholeFile {
  readonly form: 'whole'
  readonly path: string
  readonly marker: string
  readonly text: string
}

/** The command that runs this program. */
export interface Launcher {
  readonly words: readonly string[]
  /** A hook runs for every prompt, so it names its Node and needs no second start. */
  readonly hookWords: readonly string[]
  readonly target?: Target
}

export function createLauncher(path: string, hookWords?: readonly string[]): Launcher {
  // Windows does not run a script by its first line.
  const words = process.platform === 'win32' ? ['node', path] : [path]
  return { words, hookWords: hookWords ?? words }
}

export function hookCommand(launcher: Launcher, harness: string, event: string): string {
  const { hookWords, target } = launcher
  const options = toHookOptions(target ?? {})
  return [...hookWords, 'hook', event, '-H', harness, ...options].map(quote).join(' ')
}

/** The command of a server over stdin and stdout. */
export function serverWords({ words }: Launcher): readonly [command: string, ...args: string[]] {
  const [command = '', ...rest] = words
  return [command, ...rest, 'mcp']
}

/** The entry of this server in the format of most harnesses. */
export function serverEntry(launcher: Launcher): Record<string, unknown> {
  const [command, ...args] = serverWords(launcher)
  const env = toVariables(launcher.target ?? {})
  return { command, args, ...(env && { env }) }
}

/** Matches a word of a command, quoted or not, that is a path with this ending. */
const wordWith = (end: string) =>
  [
    String.raw`(?:\S*[\\/])?${end}`,
    String.raw`'(?:(?:[^']|'\\'')*[\\/])?${end}'`,
    String.raw`"(?:[^"]*[\\/])?${end}"`,
  ].join('|')
const node = wordWith(String.raw`node(?:\.exe)?`)
const launcher = wordWith('reverie')
const hookEntry = wordWith(String.raw`dist[\\/]hook\.cjs`)
const target = String.raw` --(?:workspace|url) (?:[^\s'"]+|'(?:[^']|'\\'')*'|"[^"]*")`
const ours = new RegExp(
  `^(?:(?:node )?(?:${launcher})|(?:${node}) (?:${hookEntry})) hook [a-z-]+ -H [a-z-]+(?:${target}){0,2}$`,
)

/** Matches a command of `hookCommand`, with the program in any folder. */
export function isOurHook(hook: unknown): boolean {
  const { command } = Object(hook) as { readonly command?: unknown }
  return typeof command === 'string' && ours.test(command)
}

export function isOurServer(server: unknown): boolean {
  const { command, args = [] } = Object(server) as { command?: unknown; args?: unknown }
  const words = [command, args].flat().map(String)
  return words.at(-1) === 'mcp' && words.length <= 3 && basename(words.at(-2) ?? '') === 'reverie'
}

function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`
}

/** The daemon that a harness calls. An absent field has its default. */
interface Target {
  readonly workspace?: string
  readonly url?: string
}

/** The target of a call of the command line. */
interface Settings {
  readonly workspace: string
  readonly url: string | undefined
  readonly port: string
}

const defaultPort = '3850'

/** The workspace and the address of this call, without default values. */
export function readTarget(settings: Settings, url = settings.url): Target {
  const { workspace, port } = settings
  const address = url ?? (port === defaultPort ? undefined : `http://127.0.0.1:${port}`)
  return {
    ...(workspace !== toWorkspace() && { workspace }),
    ...(address !== undefined && { url: address }),
  }
}

/** The options of `reverie hook`. */
export function toHookOptions({ workspace, url }: Target): readonly string[] {
  return [
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(url === undefined ? [] : ['--url', url]),
  ]
}

/** The environment of `reverie mcp`; undefined for the default target. */
export function toVariables({ workspace, url }: Target): Record<string, string> | undefined {
  if (workspace === undefined && url === undefined) return undefined
  return {
    ...(workspace !== undefined && { SVC_PATH: workspace }),
    ...(url !== undefined && { SVC_URL: url }),
  }
}
