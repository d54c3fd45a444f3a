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

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/

/** A time of a reply in the zone of this machine, to the minute; any other text is unchanged. */
export function toLocalTime(text: string): string {
  if (!isTime.test(text)) return text
  // Swedish writes times as `2026-11-28 11:34`.
  return new Date(text).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' })
}

export function toLocalDate(text: string): string {
  return toLocalTime(text).slice(0, 10)
}

/** A named day begins or ends at midnight of this machine's time zone. */
export type Bound = 'start' | 'end'

/** ISO text; undefined for a text that is not a time. */
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
