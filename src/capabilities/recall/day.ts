/** A calendar day in the time zone of the machine; the end is exclusive. */
export interface Day {
  readonly start: Date
  readonly end: Date
  /** The day as written in the text. */
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

const queryPatterns = [new RegExp(String.raw`${numeric}\b`), new RegExp(monthFirst, 'i')]
/** Texts also use the day-first form, and may append the time of day. */
const textPatterns = [`${numeric}(?!\\d)`, monthFirst, dayFirst].map(
  (pattern) => new RegExp(pattern, 'gi'),
)

/** Finds the day that a query names. */
export function findDay(question: string): Day | undefined {
  const [numbers, words] = queryPatterns
  const match = numbers?.exec(question) ?? words?.exec(question)
  return match ? toDay(match) : undefined
}

/** Lists all days that a text mentions. */
export function listDays(text: string): Day[] {
  return textPatterns.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match) => toDay(match) ?? []),
  )
}

function toDay({ 0: text, groups = {} }: RegExpMatchArray): Day | undefined {
  const { name, month, ...numbers } = groups
  const index = name ? months.indexOf(name.slice(0, 3).toLowerCase()) : Number(month) - 1
  const [year, day] = [Number(numbers['year']), Number(numbers['day'])]
  const start = new Date(year, index, day)
  // `Date` rolls invalid days over and maps the years 0 to 99 to 1900 to 1999.
  const same = start.getFullYear() === year && start.getMonth() === index
  if (!same || start.getDate() !== day) return undefined
  return { text, start, end: new Date(year, index, day + 1) }
}
