import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

export interface PageOptions {
  readonly url: string
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly locale?: string
  /** Set before the page loads, as a replacement of the session that the service reports. */
  readonly operations?: readonly string[]
  /** Shares no cache, clock or storage with the pages of other tests. */
  readonly ownContext?: boolean
}

export interface OpenPage {
  readonly page: Page
  /** Console errors, page errors, dialogs and requests to other origins. */
  readonly faults: readonly string[]
  /** The paths of all requests since the page was opened. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

const executablePath = process.env['SVC_TEST_CHROMIUM'] ?? '/usr/bin/chromium'
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const axeSource = readFileSync(axeFile, 'utf8')
/** The files of a process share a browser, which ends with it. */
const started: { browser?: Promise<Browser> } = {}

interface Tabs {
  readonly context: Promise<BrowserContext>
  /** Closed pages, which the next tests use: a new one parses the scripts of the page again. */
  readonly spare: Page[]
}

/** One context a language, whose cache has the files of the page after the first test. */
const shared = new Map<string, Tabs>()

/** Opens a page of the dashboard and records everything that must not happen on it. */
export async function openPage(options: PageOptions): Promise<OpenPage> {
  const { url, theme = 'light', width = 1280, locale = 'en-GB', ownContext = false } = options
  const { page, close } = await (ownContext ? openOwn(locale) : openShared(locale))
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme: theme })
  page.setDefaultTimeout(30_000)
  const faults: string[] = []
  const requests: string[] = []
  const { origin } = new URL(url)
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAbsentSession(message.location().url))
      faults.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    requests.push(new URL(request.url()).pathname)
    if (!request.url().startsWith(origin)) faults.push(`request to ${request.url()}`)
  })
  if (options.operations)
    await page.route('**/api/auth/session', (route) =>
      route.fulfill({
        json: { signedIn: true, mode: 'local', operations: options.operations },
      }),
    )
  await page.goto(url)
  return { page, faults, requests, close }
}

async function openOwn(locale: string) {
  const context = await createContext(locale)
  return { page: await context.newPage(), close: () => context.close() }
}

async function openShared(locale: string) {
  const tabs = shared.get(locale) ?? { context: createContext(locale), spare: [] }
  shared.set(locale, tabs)
  const page = tabs.spare.pop() ?? (await (await tabs.context).newPage())
  const close = async () => {
    await clear(page)
    tabs.spare.push(page)
  }
  return { page, close }
}

async function createContext(locale: string): Promise<BrowserContext> {
  started.browser ??= chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return (await started.browser).newContext({ locale, reducedMotion: 'reduce' })
}

/** Leaves nothing that the next test could read. */
async function clear(page: Page): Promise<void> {
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  if (page.url().startsWith('http'))
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.context().clearCookies()
  await page.goto('about:blank')
}

/** A service without cookie sessions has no such route. */
function isAbsentSession(url: string): boolean {
  return new URL(url || 'about:blank').pathname === '/api/auth/session'
}

/** The violations that axe finds, with the elements. */
export async function findViolations(page: Page): Promise<string[]> {
  // The policy of the page forbids a script element, so the source runs as an expression.
  await page.evaluate(axeSource)
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
        }>
      }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}

/** Waits until no panel loads any more. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForSelector('[aria-busy=true]', { state: 'detached' })
}
