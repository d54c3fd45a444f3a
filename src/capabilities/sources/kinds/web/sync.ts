import { toCleanText } from '../../../../kernel/redaction/clean-text.ts'
import type { Extractor } from '../../../extraction/index.ts'
import type { RunResult } from '../../runs/job.ts'
import { hashOf } from '../../source.ts'
import { RunFailure, type SourceKind, type SyncContext } from '../kind.ts'
import { type RemoteNeeds, type RemoteReply, sendToRemote } from '../remote.ts'
import type { WebSettings } from './draft.ts'
import { fetchPage, type PageState } from './fetch-page.ts'
import { allowAll, parseRobots, type Robots } from './robots.ts'

export interface WebNeeds extends RemoteNeeds {
  readonly extractor: Pick<Extractor, 'extract'>
}

const maxPageLength = 750_000
const maxQueueLength = 10_000
const maxRobotsBytes = 512 * 1_024
const robotsTimeoutMs = 15_000

/** A page, or the pages of one origin that its links reach. */
export function createWeb(needs: WebNeeds): SourceKind {
  return { kind: 'web', sync: (context) => sync(needs, context) }
}

interface Crawl {
  readonly rootUrl: string
  readonly maxPages: number
  readonly robots: Robots
  readonly queue: string[]
  readonly queued: Set<string>
  failures: number
}

async function sync(needs: WebNeeds, context: SyncContext): Promise<RunResult> {
  const { url, maxPages = 1 } = context.source.providerSettings as unknown as WebSettings
  const robots = maxPages > 1 ? await readRobots(needs, context, new URL(url).origin) : allowAll
  const crawl: Crawl = {
    rootUrl: url,
    maxPages,
    robots,
    queue: [url],
    queued: new Set([url]),
    failures: 0,
  }
  let scanned = 0
  for (let page = crawl.queue.shift(); page && scanned < maxPages; page = crawl.queue.shift()) {
    if (scanned > 0 && robots.delaySeconds > 0)
      await needs.host.sleep(robots.delaySeconds * 1_000, context.signal)
    context.assertActive()
    context.report({
      scanned,
      total: Math.min(maxPages, scanned + 1 + crawl.queue.length),
      currentPath: page,
    })
    await readPage(needs, context, { crawl, url: page })
    scanned += 1
    context.report({ scanned })
  }
  // A page that failed may link to pages that were not seen.
  if (crawl.failures === 0) await context.removeStale('')
  await context.embed()
  return { status: 'complete' }
}

async function readRobots(needs: WebNeeds, context: SyncContext, origin: string): Promise<Robots> {
  const url = `${origin}/robots.txt`
  const limits = { maxBytes: maxRobotsBytes, timeoutMs: robotsTimeoutMs }
  const { status, body } = await sendToRemote(needs, context, { url, ...limits })
  if (status >= 500) throw new RunFailure(`http_status: ${url} replied ${status}.`)
  return status === 200 ? parseRobots(body.toString('utf8')) : allowAll
}

interface PageWork {
  readonly crawl: Crawl
  readonly url: string
}

async function readPage(
  needs: WebNeeds,
  context: SyncContext,
  { crawl, url }: PageWork,
): Promise<void> {
  const key = `page:${hashOf(url).slice(0, 32)}`
  const state = await context.checkpoints.read<PageState>(key)
  const page = await fetchPage(needs, context, { url, state })
  if (page.status === 'unchanged') {
    context.retain(url)
    return addLinks(crawl, state?.links ?? [])
  }
  if (page.status === 'read') return savePage(needs, context, { crawl, url, key, page: page.reply })
  if (url === crawl.rootUrl) throw new RunFailure(page.message)
  // A link to a page that does not exist is no failure of the source.
  if (page.status === 'missing') return
  await fail(context, { crawl, url }, { message: page.message, isTransient: page.isTransient })
}

async function savePage(
  needs: WebNeeds,
  context: SyncContext,
  { crawl, url, key, page }: PageWork & { readonly key: string; readonly page: RemoteReply },
): Promise<void> {
  const { headers, body } = page
  const isElsewhere = new URL(page.url).origin !== new URL(crawl.rootUrl).origin
  if (isElsewhere && url !== crawl.rootUrl) return
  const extracted = await needs.extractor.extract({
    bytes: new Uint8Array(body),
    contentType: headers['content-type'],
    isWebPage: true,
  })
  if (extracted.status === 'failed') {
    if (url === crawl.rootUrl) throw new RunFailure(`${extracted.reason}: ${extracted.message}`)
    return fail(context, { crawl, url }, { message: extracted.message, isTransient: false })
  }
  const { text, title, warnings, links = [] } = extracted
  const isCut = text.length > maxPageLength
  await context.save({
    path: url,
    type: 'page',
    title: title ?? url,
    content: isCut ? text.slice(0, maxPageLength) : text,
    externalId: page.url,
    meta: { url: page.url, ...((isCut || warnings.length > 0) && { warnings, isCut }) },
  })
  const pages = toPageLinks(crawl, page.url, links)
  const state: PageState = {
    etag: headers['etag'],
    lastModified: headers['last-modified'],
    links: pages,
  }
  await context.checkpoints.write(key, state)
  addLinks(crawl, pages)
}

async function fail(
  context: SyncContext,
  { crawl, url }: PageWork,
  { message, isTransient }: { readonly message: string; readonly isTransient: boolean },
): Promise<void> {
  crawl.failures += 1
  await context.fail({ path: url, message: `${url}: ${message}`, recoverable: isTransient })
}

/** Links to other pages of the origin of the root, below its folder. */
function toPageLinks(
  { rootUrl, maxPages }: Crawl,
  base: string,
  links: readonly string[],
): readonly string[] {
  if (maxPages === 1) return []
  const root = new URL('.', rootUrl)
  const targets = links.flatMap((link) => {
    const target = URL.parse(link, base)
    if (!target) return []
    target.hash = ''
    const { href, origin, pathname } = target
    const isInside = origin === root.origin && pathname.startsWith(root.pathname)
    // A link that holds a credential is neither stored nor followed.
    return isInside && toCleanText(href) === href ? [href] : []
  })
  return [...new Set(targets)]
}

function addLinks({ queue, queued, robots }: Crawl, links: readonly string[]): void {
  for (const link of links) {
    const { pathname, search } = new URL(link)
    if (queued.has(link) || queued.size >= maxQueueLength) continue
    queued.add(link)
    if (robots.isAllowed(`${pathname}${search}`)) queue.push(link)
  }
}
