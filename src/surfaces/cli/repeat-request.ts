import { setTimeout as pause } from 'node:timers/promises'
import { ReverieError } from '../../client/public/reverie-error.ts'
import { realHost } from '../../kernel/host/host.ts'
import type { Output } from './output.ts'
import type { Row } from './render.ts'

/** Limits that end at a known time. */
const limitCodes = ['cooldown', 'hourly_budget', 'in_progress']

/** Repeats a request until its result is complete, and waits for the limits of the service. */
export async function repeatRequest(output: Output, send: () => Promise<unknown>): Promise<Row> {
  let affected = 0
  for (;;) {
    const reply = await sendOrWait(output, send)
    if (reply === undefined) continue
    affected += Number(reply['affected'] ?? 0)
    const { isComplete = true } = Object(reply['details'])
    if (isComplete) return { ...reply, affected }
  }
}

/** Undefined after the wait for a limit. */
async function sendOrWait(output: Output, send: () => Promise<unknown>): Promise<Row | undefined> {
  try {
    return Object(await send()) as Row
  } catch (error) {
    const retryAt = findRetryTime(error)
    if (retryAt === undefined) throw error
    await countDown(output, retryAt)
    return undefined
  }
}

function findRetryTime(error: unknown): number | undefined {
  if (!(error instanceof ReverieError) || !limitCodes.includes(error.code)) return undefined
  const { retryAfter } = Object(error.details)
  return typeof retryAfter === 'number' ? retryAfter : undefined
}

async function countDown({ json }: Output, retryAt: number): Promise<void> {
  const isShown = !json && process.stderr.isTTY
  const leftMs = () => retryAt - realHost.now().getTime()
  const describe = () =>
    `Waiting ${Math.max(1, Math.ceil(leftMs() / 1000))} s for the limit of the service.`
  if (!isShown) process.stderr.write(`${describe()}\n`)
  do {
    if (isShown) process.stderr.write(`\r${describe()} `)
    await pause(Math.min(1_000, Math.max(100, leftMs())))
  } while (leftMs() > 0)
  if (isShown) process.stderr.write('\r\u001b[K')
}
