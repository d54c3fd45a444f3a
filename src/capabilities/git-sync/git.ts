import { join } from 'node:path'
import { findProgram } from '../../kernel/process/find-program.ts'
import { runProcess } from '../../kernel/process/run-process.ts'
import { GitFailure, toGitFailure } from './failure.ts'
import type { GitSyncNeeds } from './needs.ts'

export interface GitOptions {
  readonly input?: string
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
  readonly env?: Readonly<Record<string, string>>
  /** Further settings of this command, `name=value`; never a secret. */
  readonly config?: readonly string[]
  readonly secrets?: readonly string[]
  readonly signal?: AbortSignal
}

interface GitOutput {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Git {
  readonly gitDir: string
  readonly folder: string
  /** Returns the outcome with any exit code. Throws `git_missing`, `git_too_old` and `timed_out`. */
  run(args: readonly string[], options?: GitOptions): Promise<GitOutput>
  /** Returns the output without its last line break. Throws for an exit code other than 0. */
  read(args: readonly string[], options?: GitOptions): Promise<string>
}

/** Limits of contract 3, section 3.3. */
export const fetchTimeoutMs = 45_000
export const mutateTimeoutMs = 30_000
const defaultTimeoutMs = 10_000
const outputBytes = 65_536
/** Lists of files are longer than messages. */
export const listBytes = 33_554_432
/** Limits of a command that lists the files of a large repository. */
export const listLimits = { maxOutputBytes: listBytes, timeoutMs: mutateTimeoutMs }
const minVersion = [2, 38] as const
const limitExceededCode = 124

/** Nothing that a repository or the settings of a user define may run a program of its own. */
const guards = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.sshCommand=ssh -oBatchMode=yes',
  'core.pager=cat',
  'core.editor=false',
  'core.askPass=',
  'core.attributesFile=/dev/null',
  'protocol.allow=never',
  'protocol.ext.allow=never',
  'protocol.https.allow=always',
  'protocol.http.allow=always',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
  'http.followRedirects=false',
  'credential.useHttpPath=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=no',
  'push.recurseSubmodules=no',
  'push.followTags=false',
  'push.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'merge.default=text',
  'merge.renames=false',
  'merge.directoryRenames=false',
  'core.fsync=committed,loose-object,reference',
  'core.quotePath=false',
].flatMap((setting) => ['-c', setting])

export type GitProgramNeeds = Pick<GitSyncNeeds, 'children' | 'folder' | 'host' | 'variables'>

/** The only place that runs git. The repository is named, so that none is discovered. */
export function createGit(needs: GitProgramNeeds): Git {
  const { folder } = needs
  const gitDir = join(folder, '.git')
  const findCommand = createLookup(needs)
  const place = [`--git-dir=${gitDir}`, `--work-tree=${folder}`, '--no-optional-locks']
  const run = async (args: readonly string[], options: GitOptions = {}): Promise<GitOutput> => {
    const { config = [] } = options
    const own = config.flatMap((setting) => ['-c', setting])
    const command = await findCommand()
    return await execute(needs, { command, args: [...place, ...guards, ...own, ...args], options })
  }
  return {
    gitDir,
    folder,
    run,
    read: async (args, options) => {
      const { code, stdout, stderr } = await run(args, options)
      if (code !== 0) throw toGitFailure(stderr || stdout, 'repository_damaged')
      return stdout.replace(/\n$/, '')
    },
  }
}

/** Caches the path of the program. A missing program is searched again. */
function createLookup(needs: GitProgramNeeds): () => Promise<string> {
  const cache: { command?: string } = {}
  return async () => {
    if (cache.command !== undefined) return cache.command
    const command = await findProgram('git', needs.variables())
    if (command === undefined) throw new GitFailure('git_missing')
    const { stdout } = await execute(needs, { command, args: ['version'], options: {} })
    if (!isNewEnough(stdout)) throw new GitFailure('git_too_old', { details: [stdout.trim()] })
    cache.command = command
    return command
  }
}

function isNewEnough(text: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? []
  const [minMajor, minMinor] = minVersion
  return Number(major) > minMajor || (Number(major) === minMajor && Number(minor) >= minMinor)
}

interface Execution {
  readonly command: string
  readonly args: readonly string[]
  readonly options: GitOptions
}

/** Ends a command that exceeds its time or its output, with its process group. */
async function execute(
  needs: GitProgramNeeds,
  { command, args, options }: Execution,
): Promise<GitOutput> {
  const { signal, maxOutputBytes = outputBytes, timeoutMs = defaultTimeoutMs } = options
  const over = new AbortController()
  const counts = { stdout: 0, stderr: 0 }
  const result = await runProcess(needs, {
    purpose: 'git',
    command,
    args,
    cwd: needs.folder,
    env: { ...readEnvironment(needs), ...options.env },
    timeoutMs,
    maxOutputBytes,
    ...(options.input !== undefined && { input: options.input }),
    secrets: options.secrets ?? [],
    signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    onOutput: ({ stream, text }) => {
      counts[stream] += text.length
      if (counts[stream] >= maxOutputBytes) over.abort()
    },
  })
  signal?.throwIfAborted()
  const { code, stdout, stderr, timedOut } = result
  if (timedOut || over.signal.aborted)
    throw new GitFailure('timed_out', { output: stderr.trim(), details: [`${limitExceededCode}`] })
  return { code, stdout, stderr }
}

function readEnvironment({ variables }: GitProgramNeeds): Record<string, string> {
  const { HOME, PATH, SSH_AUTH_SOCK } = variables()
  return {
    LANG: 'C',
    GIT_TERMINAL_PROMPT: '0',
    ...(HOME !== undefined && { HOME }),
    ...(PATH !== undefined && { PATH }),
    ...(SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }),
  }
}
