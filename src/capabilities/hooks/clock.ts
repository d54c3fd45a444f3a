/** Formats a time as `Current date/time: 2026-08-16T14:35:00-06:00 (America/Denver)`. */
export type Clock = (now: Date) => string

/** The time zone is an IANA name. Default: the zone of this machine. */
export function createClock(timeZone?: string): Clock {
  const made: { format?: Intl.DateTimeFormat } = {}
  return (now) => {
    // Loads the tables of all languages, so it is created once.
    made.format ??= createFormat(timeZone)
    const parts = made.format.formatToParts(now)
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      parts.find((each) => each.type === type)?.value ?? ''
    const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
    const date = `${part('year')}-${part('month')}-${part('day')}`
    const time = `${part('hour')}:${part('minute')}:${part('second')}`
    const zone = nameOf(made.format.resolvedOptions().timeZone)
    return `Current date/time: ${date}T${time}${offset} (${zone})`
  }
}

/** An unknown zone is UTC. */
function nameOf(zone: string | undefined): string {
  return zone === undefined || zone === 'Etc/Unknown' ? 'UTC' : zone
}

function createFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
}
