import { basename } from 'node:path'
import { toWorkspace } from '../../../kernel/config/workspace.ts'

/** The folders of a user. */
export interface Places {
  readonly home: string
  readonly workspace: string
  readonly claudeHome: string
  /** The state of Claude Code, in which its servers stand. */
  readonly claudeState: string
  readonly codexHome: string
  readonly configHome: string
}

/** One harness, as data: what `install` adds to which of its files. */
export interface Harness {
  readonly id: string
  readonly name: string
  /** The program on the PATH; none without a program. */
  readonly program?: string
  /** The harness counts as detected if this folder exists. */
  readonly folder: (places: Places) => string
  /** The first of the files is the one that people know. */
  readonly files: (places: Places, launcher: Launcher) => readonly FileEdit[]
  /** What the user must do after `install`. */
  readonly notice?: string
}

export type FileEdit = JsonEdit | TomlEdit | WholeFile

export interface JsonEdit {
  readonly form: 'json'
  readonly path: string
  /** Set where nothing stands. */
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
  /** The name under which each item of the list holds hooks of its own, if it does. */
  readonly group?: string
}

export interface TomlEdit {
  readonly form: 'toml'
  readonly path: string
  readonly table: readonly string[]
  readonly lines: readonly string[]
}

/** A file that is ours from its first line, the marker, to its last. */
export interface WholeFile {
  readonly form: 'whole'
  readonly path: string
  readonly marker: string
  readonly text: string
}

/** How this very program is run. */
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

/** Of a server that speaks over stdin and stdout. */
export function serverWords({ words }: Launcher): readonly [command: string, ...args: string[]] {
  const [command = '', ...rest] = words
  return [command, ...rest, 'mcp']
}

/** The entry of that server in the form that most harnesses share. */
export function serverEntry(launcher: Launcher): Record<string, unknown> {
  const [command, ...args] = serverWords(launcher)
  const env = toVariables(launcher.target ?? {})
  return { command, args, ...(env && { env }) }
}

/** A word of a command, quoted or not, that is a path with this end. */
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

/** A command of the form that `hookCommand` gives, whichever folder the program was in then. */
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

/** The daemon that a harness calls; an absent field means the default. */
interface Target {
  readonly workspace?: string
  readonly url?: string
}

/** Of a call of the command line. */
interface Settings {
  readonly workspace: string
  readonly url: string | undefined
  readonly port: string
}

const defaultPort = '3850'

/** The workspace and the address of this call, as far as they are not the default. */
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

/** The environment of `reverie mcp`; undefined where the default holds. */
export function toVariables({ workspace, url }: Target): Record<string, string> | undefined {
  if (workspace === undefined && url === undefined) return undefined
  return {
    ...(workspace !== undefined && { SVC_PATH: workspace }),
    ...(url !== undefined && { SVC_URL: url }),
  }
}
