const dayMs = 86_400_000

/** A calendar day as the number of days since 1970-01-01. */
export type Day = number

/** The calendar of a time zone. */
export interface ZonedCalendar {
  readonly today: Day
  /** With the fraction of today that has passed. */
  readonly now: Day
  /** The instant of the day, or of a fraction of it, in the zone; ISO. */
  toIso(day: Day): string
}

export function createCalendar(now: Date, timeZone: string | undefined): ZonedCalendar {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  /** The wall-clock time of an instant, as if it were UTC. */
  const wallTime = (instant: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(instant).map(({ type, value }) => [type, value]),
    )
    const { year, month, day, hour, minute, second } = parts
    return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  }
  const offsetAt = (instant: number) => wallTime(instant) - Math.floor(instant / 1000) * 1000
  const wallNow = wallTime(now.getTime()) / dayMs
  return {
    today: Math.floor(wallNow),
    now: wallNow,
    toIso: (day) => {
      const wall = day * dayMs
      const guess = wall - offsetAt(wall)
      return new Date(wall - offsetAt(guess)).toISOString()
    },
  }
}

/** `month` counts from 0 and may lie outside 0 to 11. */
export function dayOf(year: number, month: number, day = 1): Day {
  return Math.round(Date.UTC(year, month, day) / dayMs)
}

export function yearOf(day: Day): number {
  return new Date(day * dayMs).getUTCFullYear()
}

/** Counts from 0. */
export function monthOf(day: Day): number {
  return new Date(day * dayMs).getUTCMonth()
}

/** Counts from 0 on Monday. */
export function weekdayOf(day: Day): number {
  return (new Date(day * dayMs).getUTCDay() + 6) % 7
}
