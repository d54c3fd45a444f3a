import { InvalidArgumentError } from 'commander'
import { realHost } from '../../kernel/host/host.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const units: readonly (readonly [pattern: string, ms: number])[] = [
  ['min(?:utes?)?', 60_000],
  ['h(?:ours?)?', hourMs],
  ['d(?:ays?)?', dayMs],
  ['w(?:eeks?)?', 7 * dayMs],
  ['months?', 30 * dayMs],
  ['y(?:ears?)?', 365 * dayMs],
]
const daysAgo = new Map([
  ['today', 0],
  ['yesterday', 1],
])

/** A named day begins or ends at midnight of this machine's time zone. */
type Bound = 'start' | 'end'

/** ISO text; undefined where the text names no time. */
export function readTime(text: string, bound: Bound, now: Date): string | undefined {
  const days = daysAgo.get(text.toLowerCase())
  if (days !== undefined) {
    const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate() - days]
    const end = new Date(year, month, day + 1).getTime() - 1
    return (bound === 'start' ? new Date(year, month, day) : new Date(end)).toISOString()
  }
  for (const [pattern, ms] of units) {
    const [, count] = new RegExp(`^(\\d{1,4}) ?${pattern}(?: ago)?$`, 'i').exec(text) ?? []
    if (count !== undefined) return new Date(now.getTime() - Number(count) * ms).toISOString()
  }
  const isDate = /^\d{4}-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
  return isDate ? new Date(text).toISOString() : undefined
}

export const parseStart = (text: string) => parse(text, 'start')
export const parseEnd = (text: string) => parse(text, 'end')

function parse(text: string, bound: Bound): string {
  const time = readTime(text.trim(), bound, realHost.now())
  if (time !== undefined) return time
  throw new InvalidArgumentError('It must be an ISO time, or like: yesterday, 7d, "2 weeks ago".')
}
