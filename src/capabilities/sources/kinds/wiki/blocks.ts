import { z } from 'zod'
import { type RemoteApi, RemoteError } from '../remote-api.ts'
import { toMarkdownText } from './rich-text.ts'

const block = z.looseObject({
  id: z.string(),
  type: z.string(),
  has_children: z.boolean().default(false),
})
type Block = z.output<typeof block>

const children = z.object({
  results: z.array(block).max(1_000),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
})

export interface PageText {
  readonly text: string
  /** Blocks that could not be read. */
  readonly missing: number
  readonly unsupported: number
  /** Blocks of an unknown type that the budget did not cover. */
  readonly unresolved: number
}

interface Reading {
  readonly api: RemoteApi
  readonly lines: string[]
  blocks: number
  length: number
  missing: number
  unsupported: number
  unresolved: number
  /** Requests for single blocks that remain. */
  budget: number
}

const maxDepth = 20
const maxBlocks = 10_000
const maxPageLength = 750_000

interface PageRequest {
  readonly pageId: string
  /** Blocks of an unknown type that may be requested one by one. */
  readonly budget: number
}

/** The blocks of a page as Markdown. A block that cannot be read is a placeholder. */
export async function readBlocks(
  api: RemoteApi,
  { pageId, budget }: PageRequest,
): Promise<PageText> {
  const counts = { blocks: 0, length: 0, missing: 0, unsupported: 0, unresolved: 0 }
  const reading: Reading = { api, lines: [], budget, ...counts }
  await readChildren(reading, { id: pageId, depth: 0 })
  const { missing, unsupported, unresolved } = reading
  const text = reading.lines.join('\n').slice(0, maxPageLength)
  return { text, missing, unsupported, unresolved }
}

interface Parent {
  readonly id: string
  readonly depth: number
}

async function readChildren(reading: Reading, { id, depth }: Parent): Promise<void> {
  let number = 0
  for await (const blocks of listChildren(reading, id))
    for (const one of blocks) {
      number = one.type === 'numbered_list_item' ? number + 1 : 0
      await readBlock(reading, one, { depth, number })
    }
}

async function* listChildren(reading: Reading, id: string): AsyncGenerator<readonly Block[]> {
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const reply = await fetchChildren(reading, id, cursor)
    if (!reply) return
    yield reply.results
    cursor = readCursor(reply, seen)
  } while (cursor !== undefined && reading.blocks < maxBlocks)
}

/** Pages of a list. */
const maxListPages = 1_000

/** The position of the next page. @throws {RemoteError} for pages that repeat or never end */
export function readCursor(
  reply: { readonly has_more: boolean; readonly next_cursor?: string | null | undefined },
  seen: Set<string>,
): string | undefined {
  const next = reply.has_more ? (reply.next_cursor ?? undefined) : undefined
  if (next === undefined) return undefined
  if (seen.has(next) || seen.size >= maxListPages)
    throw new RemoteError(`The pages of a list repeat, or are more than ${maxListPages}.`)
  seen.add(next)
  return next
}

async function fetchChildren(reading: Reading, id: string, cursor: string | undefined) {
  const query = new URLSearchParams({
    page_size: '100',
    ...(cursor !== undefined && { start_cursor: cursor }),
  })
  const path = `/v1/blocks/${encodeURIComponent(id)}/children?${query}`
  const reply = await reading.api.call(path, { accepted: [404] })
  if (reply.status !== 404) return reply.parse(children)
  reading.missing += 1
  addLine(reading, `[Missing block: ${id}]`)
  return undefined
}

interface Place {
  readonly depth: number
  /** Position in a numbered list. */
  readonly number: number
}

/** These are pages of their own. */
const otherPages = new Set(['child_page', 'child_database'])

async function readBlock(reading: Reading, listed: Block, { depth, number }: Place): Promise<void> {
  if (reading.blocks >= maxBlocks || reading.length > maxPageLength) return
  reading.blocks += 1
  const one = Object.hasOwn(renderers, listed.type) ? listed : await resolveBlock(reading, listed)
  const line = renderBlock(one, number)
  if (line === undefined) {
    reading.unsupported += 1
    addLine(reading, `[Unsupported block: ${one.type}]`)
  } else if (line !== '')
    addLine(reading, isListItem.test(one.type) ? `${'  '.repeat(depth)}${line}` : line)
  const isDeep = one.has_children && depth < maxDepth
  if (isDeep && !otherPages.has(one.type))
    await readChildren(reading, { id: one.id, depth: depth + 1 })
  if (!isListItem.test(one.type) && one.type !== 'table_row') addLine(reading, '')
}

/** A list may hide the type of a block, which the block itself tells. */
async function resolveBlock(reading: Reading, one: Block): Promise<Block> {
  if (reading.budget === 0) {
    reading.unresolved += 1
    return one
  }
  reading.budget -= 1
  const path = `/v1/blocks/${encodeURIComponent(one.id)}`
  const reply = await reading.api.call(path, { accepted: [400, 404] })
  return reply.status < 300 ? reply.parse(block) : one
}

const isListItem = /_list_item$|^to_do$/

function addLine(reading: Reading, line: string): void {
  reading.lines.push(line)
  reading.length += line.length + 1
}

type Content = Readonly<Record<string, unknown>>

const words = ({ rich_text: text }: Content) => toMarkdownText(text)
const caption = (label: string) => (content: Content) => {
  const description = toMarkdownText(content['caption'])
  return description === '' ? `[${label}]` : `[${label}: ${description}]`
}
const link = (content: Content) => {
  const url = String(content['url'] ?? '')
  return url === '' ? '' : `[${toMarkdownText(content['caption']) || url}](${url})`
}
const nothing = () => ''

const renderers: Readonly<Record<string, (content: Content, number: number) => string>> = {
  paragraph: words,
  heading_1: (content) => `# ${words(content)}`,
  heading_2: (content) => `## ${words(content)}`,
  heading_3: (content) => `### ${words(content)}`,
  bulleted_list_item: (content) => `- ${words(content)}`,
  numbered_list_item: (content, number) => `${number}. ${words(content)}`,
  to_do: (content) => `- [${content['checked'] === true ? 'x' : ' '}] ${words(content)}`,
  toggle: words,
  quote: (content) => `> ${words(content).replaceAll('\n', '\n> ')}`,
  callout: (content) => `> ${words(content).replaceAll('\n', '\n> ')}`,
  code: (content) => `\`\`\`${String(content['language'] ?? '')}\n${words(content)}\n\`\`\``,
  equation: ({ expression }) => `$$${String(expression ?? '')}$$`,
  divider: () => '---',
  table_row: ({ cells }) =>
    Array.isArray(cells) ? `| ${cells.map((cell) => toMarkdownText(cell)).join(' | ')} |` : '',
  child_page: ({ title }) => `Page: ${String(title ?? '')}`,
  child_database: ({ title }) => `Database: ${String(title ?? '')}`,
  image: caption('image'),
  video: caption('video'),
  audio: caption('audio'),
  file: caption('file'),
  pdf: caption('pdf'),
  bookmark: link,
  embed: link,
  link_preview: link,
  table: nothing,
  column_list: nothing,
  column: nothing,
  synced_block: nothing,
  breadcrumb: nothing,
  table_of_contents: nothing,
  link_to_page: nothing,
}

/** Undefined for a block of an unknown type. */
function renderBlock(one: Block, number: number): string | undefined {
  return renderers[one.type]?.(Object(one[one.type]), number)
}
