import { z } from 'zod'
import { RemoteError } from '../remote-api.ts'
import { graphqlPath } from './api.ts'
import {
  nameOf,
  type RepoRun,
  readItem,
  saveItem,
  takeItem,
  textOf,
  toRepoPath,
} from './repo-run.ts'

const author = z.object({ login: z.string() }).nullish()
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() })
const comment = z.object({
  databaseId: z.number(),
  body: z.string(),
  createdAt: z.string(),
  url: z.string().optional(),
  author,
})
const comments = z.object({ nodes: z.array(comment), pageInfo })
const discussion = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closed: z.boolean().default(false),
  url: z.string().optional(),
  category: z.object({ name: z.string() }).nullish(),
  author,
  comments,
})
type Discussion = z.output<typeof discussion>
type Comments = z.output<typeof comments>

const errors = z.array(z.object({ message: z.string() })).optional()
const listReply = z.object({
  errors,
  data: z
    .object({
      repository: z
        .object({ discussions: z.object({ nodes: z.array(discussion), pageInfo }) })
        .nullish(),
    })
    .nullish(),
})
const commentsReply = z.object({
  errors,
  data: z
    .object({ repository: z.object({ discussion: z.object({ comments }).nullish() }).nullish() })
    .nullish(),
})

const commentFields =
  'nodes { databaseId body createdAt url author { login } } pageInfo { hasNextPage endCursor }'
const listQuery = `query($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: 50, after: $after, orderBy: {field: CREATED_AT, direction: DESC}) {
      nodes {
        number title body createdAt updatedAt closed url category { name } author { login }
        comments(first: 50) { ${commentFields} }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`
const commentsQuery = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussion(number: $number) { comments(first: 50, after: $after) { ${commentFields} } }
  }
}`
const maxPages = 400

/** Discussions with their comments, over GraphQL. */
export async function readDiscussions(run: RepoRun): Promise<void> {
  let after: string | undefined
  for (let pages = 0; ; pages++) {
    if (pages >= maxPages || run.remaining <= 0) {
      run.isComplete = false
      return
    }
    const data = await query(run, listReply, { query: listQuery, variables: { after } })
    const list = data?.repository?.discussions
    if (!list) throw new RemoteError(`${run.repo} has no list of discussions.`, 404)
    for (const one of list.nodes) await readDiscussion(run, one)
    after = toNext(list.pageInfo, after)
    if (after === undefined) return
  }
}

interface Query {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

async function query<Data>(
  { api, repo }: RepoRun,
  shape: z.ZodType<{ readonly errors?: z.output<typeof errors>; readonly data?: Data }>,
  { query, variables }: Query,
): Promise<Data | undefined> {
  const [owner, name] = repo.split('/')
  const json = { query, variables: { owner, name, ...variables } }
  const reply = (await api.call(graphqlPath, { method: 'POST', json })).parse(shape)
  const [error] = reply.errors ?? []
  if (error)
    throw new RemoteError(`The code host refused the query: ${error.message.slice(0, 200)}`)
  return reply.data
}

function toNext(
  { hasNextPage, endCursor }: z.output<typeof pageInfo>,
  before: string | undefined,
): string | undefined {
  if (!hasNextPage) return undefined
  const next = endCursor ?? undefined
  if (next === undefined || next === before) throw new RemoteError('The pages of a list repeat.')
  return next
}

const isOpen = ({ settings }: RepoRun, { closed }: Discussion) =>
  settings.state === 'all' || (settings.state === 'closed') === closed

async function readDiscussion(run: RepoRun, one: Discussion): Promise<void> {
  const { context, repo, settings } = run
  const path = `${toRepoPath(repo)}/discussions/${one.number}`
  if (!isOpen(run, one) || !takeItem(run, path)) return
  const revision = `${one.updatedAt} ${settings.includeComments}`
  if (await context.isCurrent(path, revision)) return context.retain(path)
  await readItem(run, path, async () => {
    if (settings.includeComments) await readComments(run, one, path)
    await saveItem(run, {
      path,
      parentPath: toRepoPath(repo),
      type: 'discussion',
      title: `${one.title} (${repo}#${one.number})`,
      content: `Discussion #${one.number} of ${repo}${one.category ? ` in ${one.category.name}` : ''}, by ${nameOf(one.author)} on ${one.createdAt.slice(0, 10)}.\n\n${textOf(one.body)}`,
      externalId: String(one.number),
      capturedAt: one.createdAt,
      revision,
      meta: { url: one.url, author: nameOf(one.author) },
    })
  })
}

async function readComments(run: RepoRun, one: Discussion, path: string): Promise<void> {
  let page: Comments | undefined = one.comments
  let after: string | undefined
  for (let pages = 0; page && pages < maxPages; pages++) {
    for (const each of page.nodes) {
      if (!takeItem(run, path)) return
      await saveItem(run, {
        path: `${path}#comment-${each.databaseId}`,
        parentPath: path,
        type: 'comment',
        title: `Comment on ${one.title}`,
        content: `${nameOf(each.author)} on ${each.createdAt.slice(0, 10)}:\n\n${each.body}`,
        externalId: String(each.databaseId),
        capturedAt: each.createdAt,
        meta: { url: each.url, author: nameOf(each.author) },
      })
    }
    after = toNext(page.pageInfo, after)
    if (after === undefined) return
    const variables = { number: one.number, after }
    const data = await query(run, commentsReply, { query: commentsQuery, variables })
    page = data?.repository?.discussion?.comments
  }
}
