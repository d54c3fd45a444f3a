import { z } from 'zod'
import { hashOf } from '../../source.ts'
import { listPages, readNext } from './api.ts'
import {
  nameOf,
  type RepoRun,
  readItem,
  saveItem,
  takeItem,
  textOf,
  toRepoPath,
} from './repo-run.ts'

const user = z.object({ login: z.string() }).nullish()
const comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user,
  created_at: z.string(),
  updated_at: z.string(),
  html_url: z.string().optional(),
  /** Only of comments on the code of a pull request. */
  path: z.string().optional(),
})
type Comment = z.output<typeof comment>

const issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  user,
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]),
  comments: z.int().default(0),
  created_at: z.string(),
  updated_at: z.string(),
  html_url: z.string().optional(),
  /** Present for a pull request, which the list of issues contains too. */
  pull_request: z.object({ merged_at: z.string().nullish() }).optional(),
})
type Issue = z.output<typeof issue>

/** What a page of the list had, so that an unchanged one costs no request beyond its own. */
interface PageState {
  readonly etag: string
  readonly next: string | undefined
  readonly paths: readonly string[]
  /** Items with their comments. */
  readonly count: number
}

const pageSize = 100
const maxPages = 200

/** Issues and pull requests with their comments, the newest first. */
export async function readIssues(run: RepoRun): Promise<void> {
  const { repo, settings } = run
  const query = new URLSearchParams({
    state: settings.state,
    sort: 'created',
    direction: 'desc',
    per_page: String(pageSize),
    ...(settings.labels.length > 0 && { labels: settings.labels.join(',') }),
  })
  const seen = new Set<string>()
  for (let page: string | undefined = `/repos/${repo}/issues?${query}`; page !== undefined; ) {
    if (seen.has(page) || seen.size >= maxPages || run.remaining <= 0) {
      run.isComplete = false
      return
    }
    seen.add(page)
    page = await readPage(run, page)
  }
}

/** Reads a page of the list. Returns the next one. */
async function readPage(run: RepoRun, page: string): Promise<string | undefined> {
  const { api, context, settings } = run
  const { resourceTypes, includeComments } = settings
  const key = `page:${hashOf(page, [...resourceTypes].join(), String(includeComments)).slice(0, 32)}`
  const state = await context.checkpoints.read<PageState>(key)
  const headers = state ? { 'if-none-match': state.etag } : {}
  // A repository without issues replies 410.
  const reply = await api.call(page, { headers, accepted: [304, 410] })
  if (reply.status === 410) return undefined
  if (reply.status === 304 && state) {
    for (const path of state.paths) context.retain(path)
    run.remaining -= state.count
    return state.next
  }
  const issues = reply.parse(z.array(issue).max(1_000))
  const before = run.remaining
  const paths: string[] = []
  for (const one of issues) {
    const path = await readIssue(run, one)
    if (path !== undefined) paths.push(path)
  }
  const next = readNext(reply)
  const { etag } = reply.headers
  const isWhole =
    run.remaining > 0 && paths.length === issues.filter((one) => isRead(run, one)).length
  if (etag !== undefined && isWhole) {
    const count = before - run.remaining
    await context.checkpoints.write(key, { etag, next, paths, count } satisfies PageState)
  }
  return next
}

const isRead = ({ settings }: RepoRun, { pull_request }: Issue) =>
  settings.resourceTypes.has(pull_request ? 'pulls' : 'issues')

/** Returns the path of an item that was read, with all its comments. */
async function readIssue(run: RepoRun, one: Issue): Promise<string | undefined> {
  if (!isRead(run, one)) return undefined
  const { context, repo, settings } = run
  const kind = one.pull_request ? 'pulls' : 'issues'
  const path = `${toRepoPath(repo)}/${kind}/${one.number}`
  if (!takeItem(run, path)) return undefined
  const revision = `${one.updated_at} ${settings.includeComments}`
  if (await context.isCurrent(path, revision)) {
    context.retain(path)
    run.remaining -= settings.includeComments ? one.comments : 0
    return path
  }
  const isWhole = await readItem(run, path, async () => {
    // The item itself is last, so that an interrupted run reads its comments again.
    if (settings.includeComments) await readComments(run, { one, path })
    await saveItem(run, toItem(run, { one, path, revision }))
  })
  return isWhole ? path : undefined
}

interface IssueWork {
  readonly one: Issue
  readonly path: string
}

async function readComments(run: RepoRun, { one, path }: IssueWork): Promise<void> {
  const base = `/repos/${run.repo}`
  const query = `per_page=${pageSize}`
  const lists = [
    ...(one.comments > 0 ? [`${base}/issues/${one.number}/comments?${query}`] : []),
    ...(one.pull_request ? [`${base}/pulls/${one.number}/comments?${query}`] : []),
  ]
  for (const list of lists)
    for await (const comments of listPages(run.api, list, comment))
      for (const each of comments) {
        if (!takeItem(run, path)) return
        await saveItem(run, toCommentItem(each, { one, path }))
      }
}

function toItem(
  { repo }: RepoRun,
  { one, path, revision }: IssueWork & { readonly revision: string },
) {
  const labels = one.labels
    .map((label) => (typeof label === 'string' ? label : textOf(label.name)))
    .filter((label) => label !== '')
  const isMerged = textOf(one.pull_request?.merged_at) !== ''
  const state = isMerged ? 'merged' : one.state
  const facts = [
    `${one.pull_request ? 'Pull request' : 'Issue'} #${one.number} of ${repo}, ${state}`,
    `by ${nameOf(one.user)} on ${one.created_at.slice(0, 10)}`,
    ...(labels.length > 0 ? [`labels: ${labels.join(', ')}`] : []),
  ]
  return {
    path,
    parentPath: toRepoPath(repo),
    type: one.pull_request ? 'pull' : 'issue',
    title: `${one.title} (${repo}#${one.number})`,
    content: `${facts.join(', ')}.\n\n${textOf(one.body)}`,
    externalId: String(one.number),
    capturedAt: one.created_at,
    revision,
    meta: { url: one.html_url, state, labels, author: nameOf(one.user) },
  }
}

function toCommentItem(each: Comment, { one, path }: IssueWork) {
  const where = each.path === undefined ? '' : ` on ${each.path}`
  return {
    path: `${path}#comment-${each.id}`,
    parentPath: path,
    type: 'comment',
    title: `Comment on ${one.title}`,
    content: `${nameOf(each.user)} on ${each.created_at.slice(0, 10)}${where}:\n\n${textOf(each.body)}`,
    externalId: String(each.id),
    capturedAt: each.created_at,
    meta: { url: each.html_url, author: nameOf(each.user) },
  }
}
