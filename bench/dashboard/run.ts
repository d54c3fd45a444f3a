// usage: node bench/dashboard/run.ts [memories] [chromium]
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, start, stop } from '../support/daemon.ts'
import { createRows } from '../support/rows.ts'
import { median, timeCalls } from '../support/timing.ts'

const few = 100
const many = Number(process.argv[2] ?? 100_000)
const rounds = 7
const clients = 16
const screenChanges = { few: 20, many: 200 }
const rows = createRows()
const print = (text: string) => process.stdout.write(`${text}\n`)

const executablePath = process.argv[3] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
print('| | | |\n|---|---|---|')
try {
  await inWorkspace((small) => inWorkspace((large) => measure(small, large)))
} finally {
  await browser.close()
}

async function measure(small: string, large: string): Promise<void> {
  // Vectors of the saved memories would be made during the measurement.
  const settings = JSON.stringify({ embedding: { provider: 'none' } })
  for (const workspace of [small, large]) await writeFile(join(workspace, 'agent.yaml'), settings)
  const [{ daemon: short }, { daemon: long }] = [await start(small), await start(large)]
  try {
    await fill(short.url, few)
    await fill(long.url, many)
    await compareFirstMemory(short.url, long.url)
    await countRows(long.url)
    await compareHeap(long.url)
  } finally {
    await Promise.all([stop(short), stop(long)])
  }
}

async function fill(url: string, count: number): Promise<void> {
  const call = throwOnError(createClient(url))
  await timeCalls({ count, clients }, (number) =>
    call('POST /api/memory/remember', { content: rows.content(number) }, 'default'),
  )
}

/** In turn, so that both have the same machine. Each time is that of a new browser profile. */
async function compareFirstMemory(short: string, long: string): Promise<void> {
  const [fewMs, manyMs] = [[] as number[], [] as number[]]
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [await timeFirstMemory(short), await timeFirstMemory(long)]
    // The first round fills the caches of the browser and of the daemons.
    if (round > 0) fewMs.push(one) && manyMs.push(other)
  }
  const ratio = median(manyMs) / median(fewMs)
  const times = `${median(fewMs).toFixed(0)} and ${median(manyMs).toFixed(0)} ms`
  print(
    `| first memory shown with ${few} and ${many} memories | ${times} | ${ratio.toFixed(2)} × |`,
  )
}

async function timeFirstMemory(url: string): Promise<number> {
  return await inPage(browser, async (page) => {
    const started = performance.now()
    await page.goto(`${url}/ui/memories`)
    await page.locator('.result').first().waitFor()
    return performance.now() - started
  })
}

async function countRows(url: string): Promise<void> {
  const shown = await inPage(browser, async (page) => {
    await page.goto(`${url}/ui/memories`)
    await page.locator('.result').first().waitFor()
    const more = page.getByRole('button', { name: 'Show older memories' })
    while (await more.isVisible()) {
      await more.click()
      await page.waitForTimeout(500)
    }
    return await page.locator('[data-row]').count()
  })
  print(`| most rows in the document with ${many} memories | ${shown} | |`)
}

async function compareHeap(url: string): Promise<void> {
  const [early, late] = await inPage(browser, async (page) => {
    const session = await page.context().newCDPSession(page)
    await page.goto(url)
    await changeScreens(page, screenChanges.few)
    const first = await readHeapMb(page, session)
    await changeScreens(page, screenChanges.many - screenChanges.few)
    return [first, await readHeapMb(page, session)] as const
  })
  const sizes = `${early.toFixed(1)} and ${late.toFixed(1)} MB`
  const name = `heap after ${screenChanges.few} and ${screenChanges.many} changes of the screen`
  print(`| ${name} | ${sizes} | ${(late / early).toFixed(2)} × |`)
}

async function changeScreens(page: Page, changes: number): Promise<void> {
  const links = page.getByRole('navigation', { name: 'Main' }).first().locator('li a')
  await links.first().waitFor()
  const count = await links.count()
  for (let change = 0; change < changes; change++) {
    const link = links.nth(change % count)
    await link.click()
    await page.locator('main h1').first().waitFor()
  }
}

/** Both sizes are those of the same screen. */
async function readHeapMb(page: Page, session: CDPSession): Promise<number> {
  await changeScreens(page, 1)
  await page.waitForSelector('[aria-busy=true]', { state: 'detached' })
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

async function inPage<Value>(from: Browser, use: (page: Page) => Promise<Value>): Promise<Value> {
  const context = await from.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  try {
    return await use(await context.newPage())
  } finally {
    await context.close()
  }
}
