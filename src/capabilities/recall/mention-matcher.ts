import { readTerms, weightOf } from '../../search/index.ts'
import { type Day, listDays } from './day.ts'

/**
 * Matches texts that mention the query: one of its terms in any inflected form,
 * a character pair, or one of its days. The parts of a date are not terms.
 */
export function createMentionMatcher(
  query: string,
  days = listDays(query),
): (text: string) => boolean {
  const terms = new Set(readTerms(removeDays(query)).filter((term) => weightOf(term) === 1))
  const dayStarts = new Set(days.map(({ start }) => start.getTime()))
  const isQueryDay = ({ start }: Day) => dayStarts.has(start.getTime())
  return (text) =>
    readTerms(text).some((term) => terms.has(term)) ||
    (dayStarts.size > 0 && listDays(text).some(isQueryDay))
}

export function removeDays(text: string): string {
  return listDays(text).reduce((rest, { text: day }) => rest.replaceAll(day, ' '), text)
}
