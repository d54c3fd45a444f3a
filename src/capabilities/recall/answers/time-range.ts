import { isSpaceless } from '../../../search/index.ts'
import { toChineseRest, toEnglishPhrases } from './time-phrases.ts'
import { chineseWeekdays, monthNames, numberNames, weekdayNames } from './time-words.ts'
import {
  createCalendar,
  type Day,
  dayOf,
  monthOf,
  weekdayOf,
  yearOf,
  type ZonedCalendar,
} from './zoned-calendar.ts'

/** The time that a question names, relative to a time of reference. */
export interface TimeRange {
  /** ISO; undefined for an open side. The end is exclusive. */
  readonly start: string | undefined
  readonly end: string | undefined
  /** The folded question without the phrase. */
  readonly rest: string
}

export interface TimeContext {
  readonly now: Date
  /** An IANA name; the zone of the machine by default. */
  readonly timeZone?: string | undefined
}

interface Days {
  readonly start: Day
  readonly end: Day
}

/** Reads the first time phrase of a question; undefined without one. */
export function readTimeRange(
  question: string,
  { now, timeZone }: TimeContext,
): TimeRange | undefined {
  const text = toEnglishPhrases(question)
  let lazyCalendar: ZonedCalendar | undefined
  for (const [pattern, resolve] of rules) {
    const match = pattern.exec(text)
    if (!match) continue
    // Most questions name no time and need no calendar.
    lazyCalendar ??= createCalendar(now, timeZone)
    const calendar = lazyCalendar
    const days = resolve(match, calendar)
    // A memory of a coming event has been created before it.
    if (!days || days.start >= calendar.today + 1) continue
    const head = text.slice(0, match.index)
    const relation = /(?:^|[\s:,])(?<name>since|after|before|until)\s+(?:the\s+)?$/.exec(head)
    const rest = `${relation ? head.slice(0, relation.index) : head} ${text.slice(match.index + match[0].length)}`
    const bounds = toBounds(days, relation?.groups?.['name'], calendar)
    return { ...bounds, rest: isSpaceless(question) ? toChineseRest(question, rest) : rest.trim() }
  }
  return undefined
}

function toBounds(
  { start, end }: Days,
  relation: string | undefined,
  { toIso, today }: ZonedCalendar,
): Pick<TimeRange, 'start' | 'end'> {
  if (relation === 'before') return { start: undefined, end: toIso(start) }
  if (relation === 'until') return { start: undefined, end: toIso(end) }
  if (relation === 'since') return { start: toIso(start), end: toIso(today + 1) }
  if (relation === 'after') return { start: toIso(end), end: toIso(today + 1) }
  return { start: toIso(start), end: toIso(end) }
}

const toNames = (table: readonly (readonly string[])[]) => table.flat().filter(Boolean).join('|')
const monthPattern = String.raw`(?<month>${toNames(monthNames.map((names) => names.filter((name) => name !== 'may')))}|month\d{1,2}|month[一二三四五六七八九十]{1,2})(?![a-z\d])`
const namedMonth = monthPattern.replace('(?<month>', '(?:')
const weekdayPattern = `(?<weekday>${toNames(weekdayNames)}|weekday[一二三四五六日天])`
const count = String.raw`(?<count>\d{1,3}|${toNames(numberNames)})`
const ordinal = '(?:st|nd|rd|th)?'

/** Each phrase with its days; the first that matches counts. */
const rules: readonly (readonly [
  RegExp,
  (match: RegExpExecArray, calendar: ZonedCalendar) => Days | undefined,
])[] = [
  [/\bday before yesterday\b/, (_, { today }) => daysFrom(today - 2, 1)],
  [/\b(?:yesterday|last night)\b/, (_, { today }) => daysFrom(today - 1, 1)],
  [
    /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/,
    (_, { today }) => daysFrom(today, 1),
  ],
  [/\bday after tomorrow\b/, (_, { today }) => daysFrom(today + 2, 1)],
  [/\btomorrow\b/, (_, { today }) => daysFrom(today + 1, 1)],
  [
    /\b(?:a few|several) (?<unit>day|week|month|year)s ago\b/,
    ({ groups }, calendar) => backTo(groups?.['unit'], 5, calendar),
  ],
  [
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:a )?${count}(?: of)? (?<unit>day|week|month|year)s? ago\b`,
      'u',
    ),
    ({ groups }, { today }) => unitAgo(groups?.['unit'], toNumber(groups?.['count']), today),
  ],
  [
    new RegExp(
      String.raw`\b(?:in |over |during )?the (?:last|past) ${count} (?<unit>hour|day|week|month|year)s?\b`,
    ),
    ({ groups }, calendar) => backTo(groups?.['unit'], toNumber(groups?.['count']), calendar),
  ],
  [
    new RegExp(`${weekdayPattern} of last week`),
    ({ groups }, { today }) =>
      daysFrom(
        today - weekdayOf(today) - 7 + (numberOf(weekdayNames, groups?.['weekday']) ?? 0),
        1,
      ),
  ],
  [
    /\b(?<which>last|previous|this|next) (?<unit>week|month|year)\b/,
    ({ groups }, { today }) =>
      unitAgo(groups?.['unit'], steps[groups?.['which'] as keyof typeof steps], today),
  ],
  [/\b(?<which>last|this) weekend\b/, ({ groups }, { today }) => weekend(groups?.['which'], today)],
  [
    /\b(?:at|in|from) the (?:beginning|start) of (?:the|this) year\b/,
    (_, { today }) => months(yearOf(today), 0, 3),
  ],
  [/\b(?:at|towards) the end of last year\b/, (_, { today }) => months(yearOf(today) - 1, 9, 3)],
  [
    new RegExp(
      String.raw`\b(?:between|from|zwischen|vom?|entre|desde) (?:the |dem |el |le )?(?<from>\d{1,2})${ordinal}\.?(?:(?: of)? (?<first>${namedMonth}))? (?:and|to|until|und|bis|y|a|et)(?: the| dem| zum| el| le)? (?<day>\d{1,2})${ordinal}\.?(?: of)? ${monthPattern}(?:,? (?<year>\d{4}))?`,
    ),
    readDates,
  ],
  [
    new RegExp(
      String.raw`\b(?:between|from|zwischen|von|entre|desde) ${monthPattern} (?:and|to|until|und|bis|y|a|et) (?<last>${namedMonth})`,
    ),
    readMonths,
  ],
  [
    new RegExp(
      String.raw`(?:\bthe )?\b(?<day>\d{1,2})${ordinal}\.?(?: of)? ${monthPattern}(?:,? (?<year>\d{4}))?`,
    ),
    readDate,
  ],
  [
    new RegExp(String.raw`\b${monthPattern}\.? (?<day>\d{1,2})${ordinal}\b(?:,? (?<year>\d{4}))?`),
    readDate,
  ],
  [/\b(?:on|am|el|le) (?<year>\d{4})-(?<number>\d\d)-(?<day>\d\d)(?!\d)/, readDate],
  [/\b(?:on|am|el|le) (?<day>\d{1,2})\.(?<number>\d{1,2})\.(?<year>\d{4})(?!\d)/, readDate],
  [
    new RegExp(
      String.raw`\b(?:(?:in|im|en|during|of|for|from) )?(?:early |late |mid )?${monthPattern}(?: (?:of )?(?<year>\d{4}))?`,
    ),
    readMonth,
  ],
  [
    /\b(?:in|of|during|from|over|last|this) (?:the )?(?<season>spring|summer|autumn|fall|winter)\b(?: (?:of )?(?<year>\d{4}))?/,
    ({ groups }, { today }) => season(groups?.['season'], groups?.['year'], today),
  ],
  [
    new RegExp(
      String.raw`(?:(?<=\b(?:since|before|after|until|seit|desde) (?:el |last )?)|\b(?:on|on last|last|am|el) )${weekdayPattern}(?: pasado)?(?!\p{L})`,
      'u',
    ),
    ({ groups }, { today }) => lastWeekday(groups?.['weekday'], today),
  ],
  [
    /\b(?:in|during|of|since|before|en) (?<year>(?:19|20)\d\d)\b/,
    ({ groups }) => months(Number(groups?.['year']), 0, 12),
  ],
]

const steps = { last: 1, previous: 1, this: 0, next: -1 } as const

function daysFrom(start: Day, length: number): Days {
  return { start, end: start + length }
}

function months(year: number, first: number, length: number): Days {
  return { start: dayOf(year, first), end: dayOf(year, first + length) }
}

/** The calendar week, month or year, or the day, so many units before today. */
function unitAgo(unit: string | undefined, by: number | undefined, today: Day): Days | undefined {
  if (by === undefined) return undefined
  if (unit === 'day') return daysFrom(today - by, 1)
  if (unit === 'week') return daysFrom(today - weekdayOf(today) - 7 * by, 7)
  if (unit === 'month') return months(yearOf(today), monthOf(today) - by, 1)
  return months(yearOf(today) - by, 0, 12)
}

const unitDays: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31, year: 366 }

function backTo(
  unit = 'day',
  by: number | undefined,
  { today, now }: ZonedCalendar,
): Days | undefined {
  if (by === undefined) return undefined
  const start = unit === 'hour' ? now - by / 24 : today - by * (unitDays[unit] ?? 1)
  return { start, end: today + 1 }
}

function weekend(which: string | undefined, today: Day): Days {
  const monday = today - weekdayOf(today)
  return daysFrom(which === 'last' ? monday - 2 : monday + 5, 2)
}

/** A month or date without a year is the last one that has begun. */
function readMonth({ groups }: RegExpExecArray, { today }: ZonedCalendar): Days | undefined {
  const month = numberOf(monthNames, groups?.['month'])
  if (month === undefined) return undefined
  const year = groups?.['year']
    ? Number(groups['year'])
    : lastYearOf(today, dayOf(yearOf(today), month))
  return months(year, month, 1)
}

/** Both months included; the last one is the one that follows the first. */
function readMonths({ groups }: RegExpExecArray, { today }: ZonedCalendar): Days | undefined {
  const first = numberOf(monthNames, groups?.['month'])
  const last = numberOf(monthNames, groups?.['last'])
  if (first === undefined || last === undefined) return undefined
  return months(
    lastYearOf(today, dayOf(yearOf(today), first)),
    first,
    ((last - first + 12) % 12) + 1,
  )
}

function readDate({ groups }: RegExpExecArray, { today }: ZonedCalendar): Days | undefined {
  const month = numberOf(monthNames, groups?.['month'] ?? `month${groups?.['number']}`)
  const day = Number(groups?.['day'])
  if (month === undefined || day < 1 || day > 31) return undefined
  const year = groups?.['year']
    ? Number(groups['year'])
    : lastYearOf(today, dayOf(yearOf(today), month, day))
  return daysFrom(dayOf(year, month, day), 1)
}

/** From a day to a later one, whose month both have unless the first has its own. */
function readDates({ groups }: RegExpExecArray, { today }: ZonedCalendar): Days | undefined {
  const last = numberOf(monthNames, groups?.['month'])
  const first = groups?.['first'] ? numberOf(monthNames, groups['first']) : last
  const [from, day] = [Number(groups?.['from']), Number(groups?.['day'])]
  if (last === undefined || first === undefined) return undefined
  if (Math.min(from, day) < 1 || Math.max(from, day) > 31) return undefined
  const turns = first > last ? 1 : 0
  const year = groups?.['year']
    ? Number(groups['year']) - turns
    : lastYearOf(today, dayOf(yearOf(today), first, from))
  const days = { start: dayOf(year, first, from), end: dayOf(year + turns, last, day) + 1 }
  return days.end > days.start ? days : undefined
}

function lastYearOf(today: Day, start: Day): number {
  return yearOf(today) - (start > today ? 1 : 0)
}

/** First months on the northern hemisphere; a winter begins in December. */
const seasons: Readonly<Record<string, number>> = {
  spring: 2,
  summer: 5,
  autumn: 8,
  fall: 8,
  winter: 11,
}

function season(name = '', year: string | undefined, today: Day): Days {
  const first = seasons[name] ?? 0
  const current = year ? Number(year) : lastYearOf(today, dayOf(yearOf(today), first))
  return months(current, first, 3)
}

/** The last such weekday before today. */
function lastWeekday(name: string | undefined, today: Day): Days | undefined {
  const weekday = numberOf(weekdayNames, name)
  if (weekday === undefined) return undefined
  return daysFrom(today - (((weekdayOf(today) - weekday + 6) % 7) + 1), 1)
}

function numberOf(table: readonly (readonly string[])[], name = ''): number | undefined {
  const numbered = /^(?<kind>month|weekday)(?<value>.+)$/.exec(name)?.groups
  if (numbered?.['kind'] === 'weekday')
    return chineseWeekdays.indexOf((numbered['value'] ?? '').replace('天', '日'))
  if (numbered) {
    const number = toNumber(numbered['value'])
    return number !== undefined && number >= 1 && number <= 12 ? number - 1 : undefined
  }
  const index = table.findIndex((names) => names.includes(name))
  return index < 0 ? undefined : index
}

function toNumber(text = ''): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  const index = numberNames.findIndex((names) => names.includes(text))
  return index <= 0 ? undefined : index
}
