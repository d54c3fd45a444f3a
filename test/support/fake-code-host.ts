import { createHash } from 'node:crypto'
import {
  type FakeOrigin,
  type OriginAnswer,
  type OriginRequest,
  startFakeOrigin,
} from './fake-origin.ts'

interface Issue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly labels?: readonly string[]
  readonly state?: 'open' | 'closed'
  readonly isPull?: boolean
  readonly comments?: readonly string[]
}

interface Discussion {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly comments?: readonly string[]
}

interface FakeRepo {
  readonly issues: Map<number, Issue>
  readonly discussions: Map<number, Discussion>
  readonly files: Map<string, string>
}

export interface FakeCodeHost extends FakeOrigin {
  /** The repository, created on first use. */
  repo(name: string): FakeRepo
  removeRepo(name: string): void
  /** Under `/api/v3`, with GraphQL at `/api/graphql`, like a server of one company. */
  readonly enterpriseUrl: string
  /** An organisation instead of a user owns the repositories. */
  isOrganisation: boolean
  /** A link that the next list names as its next page. */
  nextLink?: string
}

/** A code host with its REST API for issues and files, and GraphQL for discussions. */
export async function startFakeCodeHost(token: string): Promise<FakeCodeHost> {
  const repos = new Map<string, FakeRepo>()
  const state: State = { isOrganisation: false }
  const origin = await startFakeOrigin((request) => {
    const { authorization } = request.headers
    if (authorization !== undefined && authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: 'Bad credentials' } }
    const path = request.path.replace(/^\/api\/v3(?!\/graphql)|^\/api(?=\/graphql)/, '')
    return withEtag(request, answer(repos, state, { ...request, path }))
  })
  return Object.assign(state, {
    ...origin,
    enterpriseUrl: `${origin.url}/api/v3`,
    removeRepo: (name: string) => {
      repos.delete(name)
    },
    repo: (name: string) => {
      const found = repos.get(name) ?? createRepo()
      repos.set(name, found)
      return found
    },
  })
}

const createRepo = (): FakeRepo => ({ issues: new Map(), discussions: new Map(), files: new Map() })
const hashOf = (text: string) => createHash('sha1').update(text).digest('hex')
/** A change of the text is a change of the time. */
const timeOf = (text: string) =>
  new Date(
    1_700_000_000_000 + (Number.parseInt(hashOf(text).slice(0, 8), 16) % 1e9) * 1_000,
  ).toISOString()

function withEtag({ headers }: OriginRequest, answer: OriginAnswer): OriginAnswer {
  if ((answer.status ?? 200) !== 200) return answer
  const etag = `"${hashOf(JSON.stringify([answer.body, answer.headers]))}"`
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
  return { ...answer, headers: { ...answer.headers, etag } }
}

type State = Pick<FakeCodeHost, 'isOrganisation'> & { nextLink?: string }

function answer(
  repos: ReadonlyMap<string, FakeRepo>,
  state: State,
  request: OriginRequest,
): OriginAnswer {
  const { path } = request
  if (path === '/graphql') return answerQuery(repos, request)
  const [, owner] = /^\/(?:orgs|users)\/([^/]+)\/repos$/.exec(path) ?? []
  if (owner !== undefined) {
    if (path.startsWith('/orgs/') !== state.isOrganisation) return notFound
    const names = [...repos.keys()].filter((name) => name.startsWith(`${owner}/`))
    return page(
      request,
      names.map((full_name) => ({ full_name })),
      state,
    )
  }
  const [, name = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)\/(.*)$/.exec(path) ?? []
  const repo = repos.get(name)
  return repo ? answerRepo(repo, { request, rest, state }) : notFound
}

const notFound: OriginAnswer = { status: 404, body: { message: 'Not Found' } }

interface RepoRequest {
  readonly request: OriginRequest
  readonly rest: string
  readonly state: State
}

function answerRepo(repo: FakeRepo, { request, rest, state }: RepoRequest): OriginAnswer {
  if (rest === 'issues') return page(request, listIssues(repo, request), state)
  const [, kind, number] = /^(issues|pulls)\/(\d+)\/comments$/.exec(rest) ?? []
  if (number !== undefined) {
    const { comments = [] } = repo.issues.get(Number(number)) ?? {}
    return page(request, kind === 'issues' ? comments.map(toComment(Number(number))) : [], state)
  }
  if (rest === 'git/trees/HEAD')
    return {
      body: {
        truncated: false,
        tree: [...repo.files].map(([path, text]) => ({
          path,
          type: 'blob',
          sha: hashOf(text),
          size: text.length,
        })),
      },
    }
  const text = repo.files.get(rest.replace(/^contents\//, ''))
  return text === undefined ? notFound : { headers: { 'content-type': 'text/plain' }, body: text }
}

function listIssues({ issues }: FakeRepo, { query }: OriginRequest): object[] {
  const labels = (query.get('labels') ?? '').split(',').filter((label) => label !== '')
  const state = query.get('state') ?? 'open'
  return [...issues.values()]
    .filter((issue) => state === 'all' || (issue.state ?? 'open') === state)
    .filter((issue) => labels.every((label) => issue.labels?.includes(label)))
    .toSorted((a, b) => b.number - a.number)
    .map((issue) => ({
      number: issue.number,
      title: issue.title,
      body: issue.body,
      state: issue.state ?? 'open',
      user: { login: 'ada' },
      labels: (issue.labels ?? []).map((name) => ({ name })),
      comments: issue.comments?.length ?? 0,
      created_at: '2025-03-01T09:00:00Z',
      updated_at: timeOf(JSON.stringify(issue)),
      html_url: `https://host.example/${issue.number}`,
      ...(issue.isPull && { pull_request: { merged_at: null } }),
    }))
}

const toComment = (number: number) => (body: string, at: number) => ({
  id: number * 1_000 + at,
  body,
  user: { login: 'bob' },
  created_at: '2025-03-02T09:00:00Z',
  updated_at: timeOf(body),
})

function page(
  { query, path, origin }: OriginRequest,
  entries: readonly object[],
  state: State,
): OriginAnswer {
  const size = Number(query.get('per_page') ?? 30)
  const number = Number(query.get('page') ?? 1)
  const next = new URL(path, origin)
  next.search = String(query)
  next.searchParams.set('page', String(number + 1))
  const link = state.nextLink ?? (number * size < entries.length ? next.href : undefined)
  return {
    headers: link === undefined ? {} : { link: `<${link}>; rel="next"` },
    body: entries.slice((number - 1) * size, number * size),
  }
}

function answerQuery(repos: ReadonlyMap<string, FakeRepo>, { body }: OriginRequest): OriginAnswer {
  const { variables } = JSON.parse(body)
  const repo = repos.get(`${variables.owner}/${variables.name}`)
  if (!repo) return { body: { errors: [{ message: 'Could not resolve to a Repository.' }] } }
  if (variables.number !== undefined) {
    const comments = commentsOf(repo.discussions.get(variables.number), Number(variables.after))
    return { body: { data: { repository: { discussion: { comments } } } } }
  }
  const nodes = [...repo.discussions.values()].map((one) => ({
    number: one.number,
    title: one.title,
    body: one.body,
    createdAt: '2025-03-03T09:00:00Z',
    updatedAt: timeOf(JSON.stringify(one)),
    closed: false,
    category: { name: 'Ideas' },
    author: { login: 'cleo' },
    comments: commentsOf(one, 0),
  }))
  const pageInfo = { hasNextPage: false, endCursor: null }
  return { body: { data: { repository: { discussions: { nodes, pageInfo } } } } }
}

/** Two comments a page. */
function commentsOf(discussion: Discussion | undefined, from: number) {
  const all = discussion?.comments ?? []
  const nodes = all.slice(from, from + 2).map((body, at) => ({
    databaseId: (discussion?.number ?? 0) * 1_000 + from + at,
    body,
    createdAt: '2025-03-04T09:00:00Z',
    author: null,
  }))
  return { nodes, pageInfo: { hasNextPage: from + 2 < all.length, endCursor: String(from + 2) } }
}
