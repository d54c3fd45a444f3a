import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'

/** `process` of `agent.yaml`. */
export const processSettings = defineSettings(
  'process',
  z
    .object({
      /** Further variables of the daemon that commands receive. Loader variables are never passed. */
      pass: z
        .array(z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'not the name of a variable'))
        .max(64)
        .default([]),
    })
    .prefault({}),
)

/** Variables that make a program load other code first. */
const loaders = [
  /^(LD|DYLD)_/,
  /^NODE_(OPTIONS|PATH|EXTRA_CA_CERTS|REPL_EXTERNAL_MODULE)$/,
  /^(PYTHON(PATH|STARTUP|HOME|INSPECT)|PERL5?(LIB|OPT)|RUBY(LIB|OPT)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|IFS|PS4|BASH_FUNC_.*)$/,
  /^GIT_(SSH|SSH_COMMAND|EXTERNAL_DIFF|PROXY_COMMAND|EXEC_PATH|CONFIG.*)$/,
]

/** Variables that every command receives in addition to those that the settings name. */
const commandVariables = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|TERM|TZ|TMPDIR)$/,
  /^(LC|XDG)_/,
  /^(HTTPS?|ALL|NO|FTP)_PROXY$/i,
]

/** Markers of the session in which the daemon was started, and the daemon's own variables. */
const sessionMarkers = [
  /^SVC_/,
  /^CLAUDECODE$/,
  // Variables of a login are retained: the program signs in by itself.
  /^CLAUDE_CODE_(?!OAUTH_TOKEN$|USE_|SKIP_|API_KEY_|CLIENT_|MAX_)/,
  /^CODEX_(SANDBOX|THREAD|SESSION|CI$|INTERNAL)/,
  /^OPENCODE($|_(PID|RUN|SESSION|CLIENT|CALLER|PROCESS|SERVER$))/,
  /^GEMINI_CLI($|_NO_RELAUNCH$)/,
  /^CURSOR_(AGENT|TRACE_ID|SESSION)/,
]

type Variables = Readonly<Record<string, string>>

/** The environment of a command: basic variables, and those that `process.pass` names. */
export function commandEnvironment(variables: Variables, pass: readonly string[]): Variables {
  return filterVariables(
    variables,
    (name) => pass.includes(name) || commandVariables.some((pattern) => pattern.test(name)),
  )
}

interface HarnessSession {
  readonly agentId: string
  readonly daemonUrl: string
}

/**
 * The environment of an agent CLI: all variables of the daemon but its own and session markers. Its
 * hooks send no request, so that the daemon records nothing of its own calls.
 */
export function harnessEnvironment(
  variables: Variables,
  { agentId, daemonUrl }: HarnessSession,
): Variables {
  const inherited = filterVariables(
    variables,
    (name) => !sessionMarkers.some((pattern) => pattern.test(name)),
  )
  return { ...inherited, SVC_NO_HOOKS: '1', SVC_AGENT_ID: agentId, SVC_DAEMON_URL: daemonUrl }
}

function filterVariables(variables: Variables, accepts: (name: string) => boolean): Variables {
  const entries = Object.entries(variables)
  return Object.fromEntries(entries.filter(([name]) => accepts(name) && !isLoader(name)))
}

/** Default PATH of a child. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

/** Builds the environment of a child. It inherits no variables. */
export function childEnvironment(
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const allowed = Object.entries(variables).filter(([name]) => !isLoader(name))
  return { PATH: defaultPath, ...Object.fromEntries(allowed) }
}

/** Returns whether the variable makes a program load other code. */
export function isLoader(name: string): boolean {
  return loaders.some((loader) => loader.test(name.toUpperCase()))
}
