import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { isLong } from '../support/load.ts'
import { startService } from '../support/start-service.ts'
import { findViolations, openPage, waitUntilLoaded } from './open-page.ts'

const service = await startService({ mode: 'local' })
afterAll(() => service.stop())

/** A grid of points over the whole map; `depth` gives each a third coordinate. */
async function replyWithPoints(page: Page, count: number): Promise<void> {
  const side = Math.ceil(Math.sqrt(count))
  await page.route('**/api/embeddings/projection*', (route) => {
    const hasDepth = route.request().url().includes('dimensions=3')
    const nodes = Array.from({ length: count }, (_, index) => ({
      id: `point-${index}`,
      content: `Note ${index} about ${index % 2 === 0 ? 'herons' : 'kettles'}`,
      type: index % 3 === 0 ? 'fact' : 'event',
      who: 'human',
      createdAt: '2026-01-01T00:00:00Z',
      x: index % side,
      y: Math.floor(index / side),
      ...(hasDepth && { z: index % 7 }),
    }))
    return route.fulfill({ json: { status: 'cached', count, nodes } })
  })
}

/** Draws a line around the left half of the picture. */
async function lassoLeftHalf(page: Page): Promise<void> {
  const box = await page.getByRole('img', { name: /points; the list below/ }).boundingBox()
  if (!box) throw new Error('no picture')
  const corners = [
    [0.001, 0.001],
    [0.5, 0.001],
    [0.5, 0.999],
    [0.001, 0.999],
  ] as const
  for (const [index, [x, y]] of corners.entries()) {
    await page.mouse.move(box.x + x * box.width, box.y + y * box.height)
    if (index === 0) await page.mouse.down()
  }
  await page.mouse.up()
}

test.skipIf(!isLong)(
  '100,000 points are drawn, turned, filtered, and listed by a line around them',
  async () => {
    const { page, faults, close } = await openPage({ url: `${service.url}/ui/settings` })
    await replyWithPoints(page, 100_000)
    await page.goto(`${service.url}/ui/map`)
    await page.getByText('100,000 of 100,000').waitFor()
    expect(await page.getByRole('list', { name: 'Selected' }).getByRole('listitem').count()).toBe(
      100,
    )

    await lassoLeftHalf(page)
    await page.getByText(/^(49|50),\d{3} of 100,000$/).waitFor()
    await page.getByRole('searchbox', { name: 'Show texts with' }).fill('herons')
    await page.getByText(/^(24|25),\d{3} of 100,000$/).waitFor()
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await page.getByText('50,000 of 100,000').waitFor()

    await page.getByRole('button', { name: '3-D' }).click()
    await page.getByRole('button', { name: 'Turn' }).waitFor()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await page.getByRole('combobox', { name: 'Colour by' }).selectOption('time')
    await page.getByRole('list', { name: 'Colours' }).getByText('older').waitFor()
    await lassoLeftHalf(page)
    await page.getByRole('button', { name: 'Clear the selection' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test.each(['webgl2', 'none'])(
  'points are drawn with the context that is there: %s',
  async (kind) => {
    const { page, faults, close } = await openPage({ url: `${service.url}/ui/settings` })
    if (kind === 'none')
      await page.addInitScript(`{
      const { getContext } = HTMLCanvasElement.prototype
      HTMLCanvasElement.prototype.getContext = function (name, ...more) {
        return name === 'webgl2' ? null : getContext.call(this, name, ...more)
      }
    }`)
    await replyWithPoints(page, 900)
    await page.goto(`${service.url}/ui/map`)
    await waitUntilLoaded(page)
    await lassoLeftHalf(page)

    await page.getByText('450 of 900').waitFor()
    expect(faults).toEqual([])
    await close()
  },
)
