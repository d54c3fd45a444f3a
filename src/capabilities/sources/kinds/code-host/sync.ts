import { z } from 'zod'
import type { RunResult } from '../../runs/job.ts'
import type { SourceKind, SyncContext } from '../kind.ts'
import { type RemoteApi, RemoteError } from '../remote-api.ts'
import { type CodeHostNeeds, listPages, openCodeHost } from './api.ts'
import { readDiscussions } from './discussions.ts'
import { readDocs } from './docs.ts'
import { readIssues } from './issues.ts'
import { type RepoRun, toRepoPath } from './repo-run.ts'
import { type CodeHostSettings, readSettings } from './settings.ts'

const maxRepos = 500

/** Issues, pull requests, discussions and documents of repositories. */
export function createCodeHost(needs: CodeHostNeeds): SourceKind {
  return { kind: 'code-host', sync: (context) => sync(needs, context) }
}

interface Progress {
  scanned: number
  isComplete: boolean
}

async function sync(needs: CodeHostNeeds, context: SyncContext): Promise<RunResult> {
  const settings = readSettings(context.source)
  const api = await openCodeHost(needs, context, settings)
  const progress: Progress = { scanned: 0, isComplete: true }
  for (const owner of settings.repos) {
    const repos = await expand(api, context, { owner, progress })
    for (const repo of repos) await syncRepo(api, context, { repo, settings, progress })
  }
  // Repositories that an owner no longer has.
  if (progress.isComplete) await context.removeStale('code-host://')
  await context.embed()
  return { status: 'complete' }
}

interface Owner {
  /** `owner/name` or `owner/*`. */
  readonly owner: string
  readonly progress: Progress
}

async function expand(
  api: RemoteApi,
  context: SyncContext,
  { owner, progress }: Owner,
): Promise<readonly string[]> {
  if (!owner.endsWith('/*')) return [owner]
  const login = owner.slice(0, -2)
  try {
    return await listRepos(api, login)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    await failRepo(context, { repo: owner, error, progress })
    return []
  }
}

/** Repositories of an organisation, else of a user. */
async function listRepos(api: RemoteApi, login: string): Promise<readonly string[]> {
  const query = 'per_page=100&sort=full_name'
  const { status } = await api.call(`/orgs/${login}/repos?${query}`, { accepted: [404] })
  const first = `/${status === 404 ? 'users' : 'orgs'}/${login}/repos?${query}`
  const repos: string[] = []
  for await (const page of listPages(api, first, z.object({ full_name: z.string() })))
    repos.push(...page.map(({ full_name }) => full_name.toLowerCase()))
  if (repos.length > maxRepos)
    throw new RemoteError(`${login} has more than ${maxRepos} repositories.`)
  return repos.filter((repo) => repo.startsWith(`${login}/`))
}

interface RepoWork {
  readonly repo: string
  readonly settings: CodeHostSettings
  readonly progress: Progress
}

async function syncRepo(
  api: RemoteApi,
  context: SyncContext,
  { repo, settings, progress }: RepoWork,
): Promise<void> {
  const report: SyncContext['report'] = (change) => {
    const scanned = progress.scanned + run.scanned
    context.report({ ...change, scanned, total: scanned })
  }
  const run: RepoRun = {
    repo,
    api,
    context: { ...context, report },
    settings,
    remaining: settings.maxItemsPerRepo,
    isComplete: true,
    scanned: 0,
  }
  try {
    const { resourceTypes: types } = settings
    if (types.has('docs')) await readDocs(run)
    if (types.has('issues') || types.has('pulls')) await readIssues(run)
    if (types.has('discussions')) await readDiscussions(run)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    run.isComplete = false
    await failRepo(context, { repo, error, progress })
  }
  progress.scanned += run.scanned
  progress.isComplete &&= run.isComplete
  if (run.isComplete) await context.removeStale(`${toRepoPath(repo)}/`)
}

/** The repository failed; others go on. */
async function failRepo(
  context: SyncContext,
  { repo, error, progress }: Omit<RepoWork, 'settings'> & { readonly error: RemoteError },
): Promise<void> {
  progress.isComplete = false
  const hint = error.status === 404 ? ' It does not exist, or the token may not read it.' : ''
  await context.fail({
    path: toRepoPath(repo),
    message: `${repo}: ${error.message}${hint}`,
    recoverable: error.isRecoverable,
  })
}
