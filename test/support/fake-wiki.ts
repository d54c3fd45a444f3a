import {
  type FakeOrigin,
  type OriginAnswer,
  type OriginRequest,
  startFakeOrigin,
} from './fake-origin.ts'

interface WikiPage {
  readonly title: string
  /** Blocks in the form of the API, without ids. */
  readonly blocks: readonly Readonly<Record<string, unknown>>[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly editedAt: string
}

export interface FakeWiki extends FakeOrigin {
  /** Publishes a page. Each edit is a minute later. */
  put(id: string, page: Omit<WikiPage, 'editedAt'>): void
  remove(id: string): void
}

const pageSize = 2
const text = (words: string) => [{ plain_text: words, href: null }]

export const paragraph = (words: string) => ({
  type: 'paragraph',
  paragraph: { rich_text: text(words) },
})

/** The id of the page of this number. */
export const pageId = (number: number) =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A wiki with its API for searches, pages and blocks, with pages of two entries. */
export async function startFakeWiki(token: string): Promise<FakeWiki> {
  const pages = new Map<string, WikiPage>()
  const state = { edits: 0 }
  const origin = await startFakeOrigin((request) => {
    if (request.headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { object: 'error', code: 'unauthorized' } }
    if (request.headers['notion-version'] === undefined)
      return { status: 400, body: { object: 'error', code: 'missing_version' } }
    return answer(pages, request)
  })
  return {
    ...origin,
    put: (id, page) => {
      state.edits += 1
      const editedAt = new Date(1_700_000_000_000 + state.edits * 60_000).toISOString()
      pages.set(id, { ...page, editedAt })
    },
    remove: (id) => {
      pages.delete(id)
    },
  }
}

function answer(pages: ReadonlyMap<string, WikiPage>, request: OriginRequest): OriginAnswer {
  const { method, path, query, body } = request
  if (method === 'POST' && path === '/v1/search') {
    const sorted = [...pages].toSorted(([, a], [, b]) => b.editedAt.localeCompare(a.editedAt))
    const found = sorted.map(([id, page]) => toPage(id, page))
    return { body: list(found, JSON.parse(body).start_cursor) }
  }
  const [, own] = /^\/v1\/blocks\/([^/]+)$/.exec(path) ?? []
  if (own !== undefined) return answerBlock(pages, own)
  const [, id = ''] = /^\/v1\/(?:pages|blocks)\/([^/]+)/.exec(path) ?? []
  const page = pages.get(id)
  if (path === `/v1/pages/${id}`) return page ? { body: toPage(id, page) } : notFound
  const blocks = page ? page.blocks : childrenOf(pages, id)
  if (!blocks) return notFound
  const withIds = blocks.map((block, at) => ({
    object: 'block',
    id: `${id}-${at}`,
    has_children: Array.isArray(block['children']),
    ...block,
  }))
  return { body: list(withIds, query.get('start_cursor') ?? undefined) }
}

const notFound: OriginAnswer = { status: 404, body: { object: 'error', code: 'object_not_found' } }

/** A block itself: `resolved` is what a list hides. */
function answerBlock(pages: ReadonlyMap<string, WikiPage>, id: string): OriginAnswer {
  const at = id.lastIndexOf('-')
  const [parent, position] = [id.slice(0, at), Number(id.slice(at + 1))]
  const block = (pages.get(parent)?.blocks ?? childrenOf(pages, parent))?.[position]
  return block
    ? { body: { object: 'block', id, ...block, ...Object(block['resolved']) } }
    : notFound
}

/** Children of a block, whose id has the positions below its page. */
function childrenOf(
  pages: ReadonlyMap<string, WikiPage>,
  id: string,
): WikiPage['blocks'] | undefined {
  const [pageOf, positions] = [id.slice(0, 36), id.slice(37).split('-')]
  let blocks = pages.get(pageOf)?.blocks
  for (const position of positions)
    blocks = blocks?.[Number(position)]?.['children'] as typeof blocks
  return blocks
}

function toPage(id: string, { title, properties = {}, editedAt }: WikiPage) {
  const isEntry = Object.keys(properties).length > 0
  return {
    object: 'page',
    id,
    url: `https://wiki.example/${id}`,
    created_time: '2025-01-01T00:00:00.000Z',
    last_edited_time: editedAt,
    archived: false,
    in_trash: false,
    parent: isEntry ? { type: 'database_id', database_id: 'x' } : { type: 'workspace' },
    properties: { ...properties, Name: { type: 'title', title: text(title) } },
  }
}

function list(entries: readonly object[], cursor: string | undefined) {
  const from = Number(cursor ?? 0)
  const hasMore = from + pageSize < entries.length
  return {
    object: 'list',
    results: entries.slice(from, from + pageSize),
    has_more: hasMore,
    next_cursor: hasMore ? String(from + pageSize) : null,
  }
}
