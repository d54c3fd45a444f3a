import { readTerms, weightOf } from '../../search/index.ts'
import { type Day, listDays } from './day.ts'

/**
 * Whether a text says anything of what is asked: it holds one of the words, in any English form, or
 * a pair of their characters, or it mentions one of the days. What a day is made of are no words.
 */
export function createSays(asked: string, days = listDays(asked)): (text: string) => boolean {
  const words = new Set(readTerms(withoutDays(asked)).filter((term) => weightOf(term) === 1))
  const starts = new Set(days.map(({ start }) => start.getTime()))
  const isAsked = ({ start }: Day) => starts.has(start.getTime())
  return (text) =>
    readTerms(text).some((term) => words.has(term)) ||
    (starts.size > 0 && listDays(text).some(isAsked))
}

export function withoutDays(text: string): string {
  return listDays(text).reduce((rest, { text: day }) => rest.replaceAll(day, ' '), text)
}
