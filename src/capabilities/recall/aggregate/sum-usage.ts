import type { Aggregate } from '../replies.ts'
import type { ModelStep } from './model-steps.ts'

const figures = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheCreationTokens',
  'totalCost',
] as const

/** The usage of all calls. A figure that no provider reports counts as 0. */
export function sumUsage(steps: readonly ModelStep[]): Aggregate['usage'] {
  const sums = figures.map((figure) => {
    const sum = steps.reduce((total, { reply }) => total + (reply.usage[figure] ?? 0), 0)
    return [figure, sum] as const
  })
  return {
    ...(Object.fromEntries(sums) as Record<(typeof figures)[number], number>),
    totalDurationMs: steps.reduce((total, { durationMs }) => total + durationMs, 0),
    stages: steps.map(({ name, durationMs, reply }) => ({
      name,
      targetRef: reply.targetRef,
      durationMs,
    })),
  }
}
