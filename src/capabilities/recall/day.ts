/** A calendar day of the machine's own time zone; the end is exclusive. */
export interface Day {
  readonly start: Date
  readonly end: Date
  /** As it was written. */
  readonly text: string
}

const month =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const day = String.raw`(?<day>\d{1,2})`
const ordinal = '(?:st|nd|rd|th)?'
const year = String.raw`(?<year>\d{4})`
const numeric = String.raw`\b${year}[-/](?<month>\d{1,2})[-/]${day}`
const monthFirst = String.raw`\b(?<name>${month})\.?\s+${day}${ordinal},?\s+${year}\b`
const dayFirst = String.raw`\b${day}${ordinal}\s+(?:of\s+)?(?<name>${month})\.?,?\s+${year}\b`
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const asked = [new RegExp(String.raw`${numeric}\b`), new RegExp(monthFirst, 'i')]
/** A text may put the day first, and tell the time of day behind it. */
const told = [`${numeric}(?!\\d)`, monthFirst, dayFirst].map((form) => new RegExp(form, 'gi'))

/** The day that a question is about. */
export function findDay(question: string): Day | undefined {
  const [numbers, words] = asked
  const found = numbers?.exec(question) ?? words?.exec(question)
  return found ? toDay(found) : undefined
}

/** All days that a text mentions. */
export function listDays(text: string): Day[] {
  return told.flatMap((form) => [...text.matchAll(form)].flatMap((found) => toDay(found) ?? []))
}

function toDay({ 0: text, groups = {} }: RegExpMatchArray): Day | undefined {
  const { name, month, ...numbers } = groups
  const index = name ? months.indexOf(name.slice(0, 3).toLowerCase()) : Number(month) - 1
  const [year, day] = [Number(numbers['year']), Number(numbers['day'])]
  const start = new Date(year, index, day)
  // The calendar rolls what is not a day over, and takes 0 to 99 for years of the last century.
  const same = start.getFullYear() === year && start.getMonth() === index
  if (!same || start.getDate() !== day) return undefined
  return { text, start, end: new Date(year, index, day + 1) }
}
