import type { Output } from './output.ts'

/** Shows progress at a terminal. */
export async function busyWith<Result>(
  output: Output,
  title: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (output.json || !process.stderr.isTTY) return await work()
  const { spinner } = await import('@clack/prompts')
  const progress = spinner({ output: process.stderr, indicator: 'timer' })
  progress.start(title)
  try {
    const result = await work()
    progress.clear()
    return result
  } catch (error) {
    progress.clear()
    throw error
  }
}

export interface Progress {
  advance(by: number): void
  stop(): void
}

/** A bar where somebody is looking; where the end is not known (0), only the bar moves. */
export async function showProgress(output: Output, title: string, max: number): Promise<Progress> {
  if (output.json || !process.stderr.isTTY) return { advance: () => {}, stop: () => {} }
  const { progress } = await import('@clack/prompts')
  const bar = progress({ max: max || Number.MAX_SAFE_INTEGER, output: process.stderr })
  bar.start(title)
  return { advance: (by) => bar.advance(by), stop: () => bar.clear() }
}

/** Does the work for all items, at most `width` at a time; the first error ends it. */
export async function eachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries()
  const worker = async () => {
    for (const [index, item] of waiting) await work(item, index)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}
