/** What the service runs. */
export interface ServiceSettings {
  /** Node, the launcher and its arguments. */
  readonly words: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly workspace: string
  /** Receives the output of the daemon until it is ready. */
  readonly startLog: string
}

export interface ServicePlaces {
  readonly home: string
  /** `XDG_CONFIG_HOME`, or its default. */
  readonly configHome: string
  readonly workspace: string
  /** The id of the user; undefined on Windows. */
  readonly uid: number | undefined
}

export interface ServiceFile {
  readonly path: string
  readonly text: string
}

/** A program with its arguments. */
export type Line = readonly [program: string, ...args: string[]]

/** The part of the system that starts programs at login, as data. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd' | 'task scheduler'
  /** The first file names the workspace, as `describes` expects. */
  files(settings: ServiceSettings): readonly ServiceFile[]
  /** Succeeds where this user can have services. */
  readonly probe: Line
  /** Registers the service; runs after its files are written. */
  readonly register: readonly Line[]
  readonly start: Line
  /** Stops the service and removes it; runs before its files are deleted. */
  readonly unregister: readonly Line[]
  /** Runs after the files are deleted. */
  readonly forget: readonly Line[]
  /** Succeeds, and prints a match of the pattern, while the daemon runs. */
  readonly query: Line
  readonly running: RegExp
  readonly note?: string
}

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes text of an element, in ASCII alone, so that the encoding of the file does not matter. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]|[^\0-\x7f]/gu, (character) => {
    return named[character] ?? `&#${character.codePointAt(0)};`
  })
}
