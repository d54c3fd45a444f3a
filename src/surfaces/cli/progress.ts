import type { Output } from './output.ts'

/** Shows that something is under way, where somebody is looking. */
export async function busyWith<Result>(
  output: Output,
  title: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (output.json || !process.stderr.isTTY) return await work()
  const { spinner } = await import('@clack/prompts')
  const shown = spinner({ output: process.stderr })
  shown.start(title)
  try {
    const result = await work()
    shown.clear()
    return result
  } catch (error) {
    shown.clear()
    throw error
  }
}
