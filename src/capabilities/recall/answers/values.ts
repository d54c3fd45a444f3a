import { fold, readTerms, splitWords } from '../../../search/index.ts'
import { valueWords } from './answer-type-words.ts'
import { numberNames, weekdayNames } from './time-words.ts'

/** The values of a text by their kind: days of the week, times of day, and numbers by their unit. */
export type Values = ReadonlyMap<string, ReadonlySet<string>>

/** Longer texts have values of several subjects. */
const maxLength = 300
/** Words after a written number that may be its unit. */
const maxUnitWords = 2
/** Larger steps are values of different things. */
const maxRatio = 10
const clock = /(?<!\p{N})(?<hour>\p{N}{1,2})[:h](?<minute>\p{N}{2})(?!\p{N})/gu
const amount =
  /(?<![\p{L}\p{N}_#.:-])(?<number>\p{N}+(?:[.,]\p{N}+)*)\s?(?<unit>%|[€$£]|\p{L}+)?(?![\p{N}:])/gu
/** Without spaces, the unit ends a value. */
const chineseAmount =
  /(?<number>\p{N}+(?:\.\p{N}+)?|[一二两三四五六七八九十]+)(?<unit>元|块|点|天|个月|小时|分钟|年|岁|次|个|本|人|米|公里|公斤)/gu
const chineseDay = /(?:周|星期|礼拜)(?<day>[一二三四五六日天])/gu
const thousands = /[.,](?=\p{N}{3}(?!\p{N}))/gu
const money =
  /^(?:[€$£]|eur|euros?|dollars?|dolares|usd|pounds?|pfund|libras?|quid|cents?|kronen?|kr|sek|francs?|franken)$/u
const days = new Map(
  weekdayNames.flatMap((names, day) => names.map((name) => [name, `day ${day}`] as const)),
)
/** Articles are numbers, too. */
const minWritten = 2
const numbers = new Map(
  numberNames.flatMap((names, number) =>
    number < minWritten ? [] : names.map((name) => [name, String(number)] as const),
  ),
)

type Value = readonly [kind: string, value: string]

/** The values of a short text; none of a long one. */
export function readValues(content: string): Values {
  const folded = fold(content)
  const all = content.length > maxLength ? [] : [...listMatches(folded), ...listWords(folded)]
  const byKind = Map.groupBy(all, ([kind]) => kind)
  return new Map(
    [...byKind].map(([kind, values]) => [kind, new Set(values.map(([, value]) => value))]),
  )
}

function listMatches(folded: string): Value[] {
  const clocks = [...folded.matchAll(clock)].map(
    ({ groups: { hour, minute } = {} }): Value => ['clock', `${Number(hour)}:${minute}`],
  )
  const amounts = [...folded.matchAll(amount), ...folded.matchAll(chineseAmount)].map(
    ({ groups: { number = '', unit = '' } = {} }): Value => [
      toKind(unit),
      number.replaceAll(thousands, '').replace(',', '.'),
    ],
  )
  return [...clocks, ...amounts]
}

/** The days of the week, and the numbers that are words. */
function listWords(folded: string): Value[] {
  const chinese = [...folded.matchAll(chineseDay)].map(
    ({ groups: { day = '' } = {} }): Value => ['day', day],
  )
  const words = splitWords(folded)
  const others = words.flatMap((word, at): Value[] => {
    const number = numbers.get(word)
    if (number !== undefined)
      return words.slice(at + 1, at + 1 + maxUnitWords).map((unit) => [toKind(unit), number])
    const day = days.get(word) ?? days.get(word.replace(/s$/u, ''))
    return day === undefined ? [] : [['day', day]]
  })
  return [...chinese, ...others]
}

function toKind(unit: string): string {
  if (money.test(unit)) return 'money'
  return valueWords.unit.has(unit) ? 'duration' : (readTerms(unit)[0] ?? '')
}

const commonKinds: ReadonlySet<string> = new Set(['money', 'duration', 'clock', 'day', '%'])

/** The kind of a value without its unit, which every language names in its own way. */
export function toCommonKind(kind: string): string {
  return commonKinds.has(kind) ? kind : 'number'
}

/** Whether two texts have near values of one kind, and no such value in common. */
export function haveOtherValues(one: Values, other: Values): boolean {
  return [...one].some(([kind, values]) => {
    const others = [...(other.get(kind) ?? [])]
    if (others.some((value) => values.has(value))) return false
    return others.some((value) => [...values].some((own) => isNear(own, value)))
  })
}

/** Values that are no numbers have no distance. */
function isNear(value: string, other: string): boolean {
  const [a, b] = [Number(value), Number(other)]
  return Number.isNaN(a) || Number.isNaN(b) || Math.max(a, b) <= maxRatio * Math.min(a, b)
}
