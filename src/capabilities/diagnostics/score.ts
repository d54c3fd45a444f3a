import type { Health } from '../../kernel/health/health.ts'

/** The contract's weights of its domains queue, index and storage, by the part that knows each. */
const weights: Readonly<Record<string, number>> = { queue: 0.23, embedding: 0.15, memory: 0.1 }

/** From 0 to 1, in hundredths: the weighted mean of the parts that have told theirs; null without any. */
export function scoreOf(reported: Readonly<Record<string, Health>>): number | null {
  let [sum, weight] = [0, 0]
  for (const [name, { score }] of Object.entries(reported)) {
    const counts = score === undefined ? 0 : (weights[name] ?? 0)
    sum += counts * (score ?? 0)
    weight += counts
  }
  return weight === 0 ? null : Math.round((100 * sum) / weight) / 100
}
