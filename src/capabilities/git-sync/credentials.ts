import { Refusal } from '../../kernel/errors/refusal.ts'
import { findProgram } from '../../kernel/process/find-program.ts'
import { runProcess } from '../../kernel/process/run-process.ts'
import type { GitConfig } from './config.ts'
import { GitFailure } from './failure.ts'
import type { Git, GitOptions } from './git.ts'
import type { GitSyncNeeds } from './needs.ts'
import { hasProblem, parseRemoteUrl, type RemoteUrl } from './remote-url.ts'
import { type RepositorySettings, readSettings } from './repository.ts'

export type AuthMethod = 'token' | 'host-cli' | 'credential-helper' | 'ssh' | 'no-remote' | 'none'

export interface Access {
  readonly method: AuthMethod
  readonly hasCredentials: boolean
  /** For the commands that reach the remote. */
  readonly options: Pick<GitOptions, 'config' | 'env' | 'secrets'>
}

type AccessNeeds = Pick<
  GitSyncNeeds,
  'askPass' | 'children' | 'credentials' | 'folder' | 'host' | 'log' | 'variables'
>

const hostCliTimeoutMs = 10_000

/** Reads the addresses of a remote; undefined without one. Throws for an address that is refused. */
export async function readRemote(git: Git, remote: string): Promise<RemoteUrl | undefined> {
  return findRemote(await readSettings(git), remote)
}

/** The address to fetch from. The one to push to is checked, too. */
export function findRemote(settings: RepositorySettings, remote: string): RemoteUrl | undefined {
  const names = ['url', 'pushurl'].map((key) => `remote.${remote}.${key}`)
  const parsed = names.flatMap((name) =>
    settings.filter(([other]) => other === name).map(([, url]) => toRemoteUrl(name, url)),
  )
  return parsed[0]
}

function toRemoteUrl(name: string, url: string): RemoteUrl {
  const result = parseRemoteUrl(url)
  if (hasProblem(result))
    throw new GitFailure('git_config_unsafe', { details: [`${name}: ${result.problem}`] })
  return result
}

/** Finds how the remote is reached: by SSH, a credential helper, the token, or the host's CLI. */
export async function findAccess(
  needs: AccessNeeds,
  { git, config, url }: { readonly git: Git; readonly config: GitConfig; readonly url: RemoteUrl },
): Promise<Access> {
  const plain = (method: AuthMethod, hasCredentials = true): Access => ({
    method,
    hasCredentials,
    options: {},
  })
  if (url.kind === 'ssh') return plain('ssh')
  if (url.kind === 'file') return plain('none')
  if (await hasHelper(git, url)) return plain('credential-helper')
  if (url.host !== config.tokenHost) return plain('none', false)
  const token = await readToken(needs, config)
  if (token !== undefined) return withSecret(needs, { url, secret: token, method: 'token' })
  const secret = await readHostCli(needs, url.host)
  return secret === undefined
    ? plain('none', false)
    : withSecret(needs, { url, secret, method: 'host-cli' })
}

async function hasHelper(git: Git, url: RemoteUrl): Promise<boolean> {
  const { stdout } = await git.run([
    'config',
    '--get-urlmatch',
    'credential.helper',
    url.displayUrl,
  ])
  return stdout.trim() !== ''
}

async function readToken(
  { credentials, log }: AccessNeeds,
  { tokenRef }: GitConfig,
): Promise<string | undefined> {
  if (tokenRef === undefined) return undefined
  try {
    const value = await credentials.resolve(tokenRef, { environment: false })
    return value?.trim() || undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    log.warn({ code: error.code }, 'git token not readable')
    return undefined
  }
}

async function readHostCli(needs: AccessNeeds, host: string): Promise<string | undefined> {
  const { HOME = '', PATH = '', XDG_CONFIG_HOME } = needs.variables()
  const command = await findProgram('gh', { HOME, PATH })
  if (command === undefined) return undefined
  const { code, stdout } = await runProcess(needs, {
    purpose: 'gh',
    command,
    args: ['auth', 'token', '--hostname', host],
    cwd: needs.folder,
    env: { HOME, PATH, ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }) },
    timeoutMs: hostCliTimeoutMs,
    maxOutputBytes: 4_096,
  })
  return code === 0 ? stdout.trim() || undefined : undefined
}

const tokenUser = 'x-access-token'

/** The secret is in the environment of git only. No helper stores it, and no redirect receives it. */
function withSecret(
  { askPass }: AccessNeeds,
  { url, secret, method }: { url: RemoteUrl; secret: string; method: AuthMethod },
): Access {
  const env = {
    GIT_ASKPASS: askPass,
    SVC_GIT_ORIGIN: `${url.kind}://${url.host}`,
    SVC_GIT_USER_ORIGIN: `${url.kind}://${tokenUser}@${url.host}`,
    SVC_GIT_USER: tokenUser,
    SVC_GIT_SECRET: secret,
  }
  const config = ['credential.helper=']
  return { method, hasCredentials: true, options: { config, env, secrets: [secret] } }
}
