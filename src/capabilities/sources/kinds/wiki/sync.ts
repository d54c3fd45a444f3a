import { z } from 'zod'
import type { RunResult } from '../../runs/job.ts'
import { RunFailure, type SourceKind, type SyncContext } from '../kind.ts'
import type { RemoteNeeds } from '../remote.ts'
import { createRemoteApi, type RemoteApi, RemoteError } from '../remote-api.ts'
import { type PageText, readBlocks, readCursor } from './blocks.ts'
import { findTitle, renderProperties } from './rich-text.ts'
import { readSettings } from './settings.ts'

interface WikiNeeds extends RemoteNeeds {
  /** `sources.wiki.apiUrl` */
  readonly apiUrl: () => string
}

const page = z.looseObject({
  id: z.string().regex(/^[0-9a-f-]{32,36}$/i),
  url: z.string().optional(),
  created_time: z.string(),
  last_edited_time: z.string(),
  archived: z.boolean().default(false),
  in_trash: z.boolean().default(false),
  parent: z.looseObject({ type: z.string() }).optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
})
type Page = z.output<typeof page>

const searchReply = z.object({
  results: z.array(page).max(1_000),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
})

const maxRunMs = 3 * 3_600_000
const maxFailuresInRow = 5
const maxConfirmations = 200
/** Times of edits are whole minutes: a page may change after a fetch within its minute. */
const settleMs = 60_000

/** The pages that the token of an integration may read. */
export function createWiki(needs: WikiNeeds): SourceKind {
  return { kind: 'wiki', sync: (context) => sync(needs, context) }
}

interface WikiRun {
  readonly needs: WikiNeeds
  readonly api: RemoteApi
  readonly context: SyncContext
  readonly maxPages: number
  readonly startedAt: number
  scanned: number
  failures: number
  failuresInRow: number
  /** The time of the oldest edit that was listed. */
  floorMs: number
}

async function sync(needs: WikiNeeds, context: SyncContext): Promise<RunResult> {
  const { tokenRef, maxPages } = readSettings(context.source)
  const token = await context.readSecret(tokenRef)
  const api = createRemoteApi(needs, context, {
    label: 'The wiki',
    apiUrl: needs.apiUrl(),
    tokenRef,
    headers: { authorization: `Bearer ${token}`, 'notion-version': '2022-06-28' },
  })
  const run: WikiRun = {
    needs,
    api,
    context,
    maxPages,
    startedAt: needs.host.now().getTime(),
    scanned: 0,
    failures: 0,
    failuresInRow: 0,
    floorMs: Number.POSITIVE_INFINITY,
  }
  const isComplete = await readPages(run)
  if (run.failures === 0) await removeGone(run, isComplete)
  await context.embed()
  return { status: 'complete' }
}

const pathOf = ({ context }: WikiRun, id: string) => `${context.source.root}/pages/${id}`

/** Reads the pages by their last edit. Returns whether all were listed. */
async function readPages(run: WikiRun): Promise<boolean> {
  for await (const pages of listPages(run))
    for (const one of pages) {
      if (run.scanned >= run.maxPages) return false
      await takePage(run, one)
    }
  return true
}

async function takePage(run: WikiRun, one: Page): Promise<void> {
  assertInTime(run)
  run.scanned += 1
  run.floorMs = Math.min(run.floorMs, Date.parse(one.last_edited_time))
  const path = pathOf(run, one.id)
  run.context.report({ scanned: run.scanned, total: run.scanned, currentPath: path })
  if (!isGone(one)) await readPage(run, one, path)
}

async function* listPages({ api }: WikiRun): AsyncGenerator<readonly Page[]> {
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const reply = await search(api, { cursor, seen })
    yield reply.results
    cursor = reply.next
  } while (cursor !== undefined)
}

interface SearchPage {
  readonly cursor: string | undefined
  readonly seen: Set<string>
}

async function search(api: RemoteApi, { cursor, seen }: SearchPage) {
  const json = {
    filter: { property: 'object', value: 'page' },
    sort: { direction: 'descending', timestamp: 'last_edited_time' },
    page_size: 100,
    ...(cursor !== undefined && { start_cursor: cursor }),
  }
  try {
    const reply = (await api.call('/v1/search', { method: 'POST', json })).parse(searchReply)
    return { results: reply.results, next: readCursor(reply, seen) }
  } catch (error) {
    // Without the list nothing can be read, and nothing may be removed.
    if (error instanceof RemoteError) throw new RunFailure(error.message)
    throw error
  }
}

function assertInTime({ needs, startedAt }: WikiRun): void {
  if (needs.host.now().getTime() - startedAt > maxRunMs)
    throw new RunFailure('The run took more than 3 hours. The next one continues.')
}

const isGone = ({ archived, in_trash: isInTrash }: Page) => archived || isInTrash

async function readPage(run: WikiRun, one: Page, path: string): Promise<void> {
  const { context } = run
  const revision = `${one.last_edited_time} ${JSON.stringify(one.properties)}`
  if (await context.isCurrent(path, revision)) return context.retain(path)
  try {
    const budget = await readBudget(run, one.id)
    const blocks = await readBlocks(run.api, { pageId: one.id, budget })
    // The next run reads the page again, with a budget of twice the size.
    const isWhole = blocks.unresolved === 0 || budget >= maxBudget
    if (isWhole) await context.checkpoints.remove(budgetKey(one.id))
    else await context.checkpoints.write(budgetKey(one.id), { budget: 2 * budget }, 'partial')
    await savePage(run, one, { path, revision: isWhole ? revision : undefined, blocks })
    run.failuresInRow = 0
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    run.failuresInRow = error.isRecoverable ? run.failuresInRow + 1 : 0
    await fail(run, path, error)
    if (run.failuresInRow >= maxFailuresInRow)
      throw new RunFailure(`${maxFailuresInRow} pages failed in a row. The last: ${error.message}`)
  }
}

/** Blocks of an unknown type that are requested one by one, for one page. */
const minBudget = 25
const maxBudget = 400
const budgetKey = (pageId: string) => `blocks:${pageId}`

async function readBudget({ context }: WikiRun, pageId: string): Promise<number> {
  const stored = await context.checkpoints.read<{ readonly budget: number }>(budgetKey(pageId))
  return Math.min(maxBudget, Math.max(minBudget, stored?.budget ?? minBudget))
}

interface PageWork {
  readonly path: string
  readonly revision: string | undefined
  readonly blocks: PageText
}

async function savePage(
  run: WikiRun,
  one: Page,
  { path, revision, blocks: { text, missing, unsupported } }: PageWork,
): Promise<void> {
  const { context, needs } = run
  const title = findTitle(one.properties)
  const isEntry = one.parent?.type === 'database_id' || one.parent?.type === 'data_source_id'
  const editedMs = Date.parse(one.last_edited_time)
  const isSettled = needs.host.now().getTime() >= editedMs + settleMs
  await context.save({
    path,
    parentPath: context.source.root,
    type: 'page',
    title,
    content: [
      `# ${title}`,
      one.url ?? '',
      `Last edited: ${one.last_edited_time}`,
      ...(isEntry ? [renderProperties(one.properties)] : []),
      '',
      text,
      ...(missing > 0 ? [`${missing} blocks could not be read.`] : []),
    ].join('\n'),
    externalId: one.id,
    mtimeMs: editedMs,
    capturedAt: one.created_time,
    ...(isSettled && missing === 0 && revision !== undefined && { revision }),
    meta: { url: one.url, ...(unsupported > 0 && { unsupportedBlocks: unsupported }) },
  })
  if (missing > 0)
    await fail(run, path, new RemoteError(`${missing} blocks of ${title} could not be read.`))
}

async function fail(run: WikiRun, path: string, error: RemoteError): Promise<void> {
  run.failures += 1
  const message = `${path}: ${error.message}`
  await run.context.fail({ path, message, recoverable: error.isRecoverable })
}

/** Removes pages that the list no longer has and that the wiki confirms as gone. */
async function removeGone(run: WikiRun, isComplete: boolean): Promise<void> {
  const { context, floorMs } = run
  const candidates = await context.listStale(`${context.source.root}/pages/`)
  let confirmations = 0
  for (const { path, mtimeMs } of candidates) {
    // Older pages than a list that was cut may exist beyond its end.
    const isListed = isComplete || (mtimeMs !== null && mtimeMs >= floorMs)
    const isConfirmed =
      isListed && confirmations < maxConfirmations && (await confirmGone(run, path))
    if (isListed) confirmations += 1
    if (!isConfirmed) context.retain(path)
  }
  await context.removeStale(context.source.root)
}

async function confirmGone(run: WikiRun, path: string): Promise<boolean> {
  try {
    const id = path.slice(path.lastIndexOf('/') + 1)
    const reply = await run.api.call(`/v1/pages/${id}`, { accepted: [404] })
    return reply.status === 404 || isGone(reply.parse(page))
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    await fail(run, path, error)
    return false
  }
}
