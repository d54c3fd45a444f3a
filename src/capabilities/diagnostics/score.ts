import type { Health } from '../../kernel/health/health.ts'

/** Weights of the domains queue, index and storage, by health check. */
const weights: Readonly<Record<string, number>> = { queue: 0.23, embedding: 0.15, memory: 0.1 }

/** Weighted mean of the reported scores, 0 to 1, rounded to hundredths; null without scores. */
export function scoreOf(reported: Readonly<Record<string, Health>>): number | null {
  let [sum, weight] = [0, 0]
  for (const [name, { score }] of Object.entries(reported)) {
    const counts = score === undefined ? 0 : (weights[name] ?? 0)
    sum += counts * (score ?? 0)
    weight += counts
  }
  return weight === 0 ? null : Math.round((100 * sum) / weight) / 100
}
