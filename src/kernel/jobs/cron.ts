import { Cron } from 'croner'

const fieldCount = 5
const maxLength = 200

/**
 * Returns the first time after the given one at which a cron expression of five fields is due. The
 * default time zone is that of the daemon. Returns undefined for an invalid expression, or one without
 * a further time. Minutes and hours without `*` and steps are fixed: a local time that a change of clocks
 * skips is due right after the gap, and one that occurs twice is due once. Other times follow the clock.
 */
export function nextTime(expression: string, after: Date, timeZone?: string): Date | undefined {
  const fields = expression.trim().split(/\s+/)
  if (expression.length > maxLength || fields.length !== fieldCount) return undefined
  try {
    const options = { mode: '5-part', paused: true, fixedTimeRule: 'no-wildcard' } as const
    const cron = new Cron(fields.join(' '), { ...options, ...(timeZone && { timezone: timeZone }) })
    return cron.nextRun(after) ?? undefined
  } catch {
    // The library throws for every expression that it does not accept.
    return undefined
  }
}
