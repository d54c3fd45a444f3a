import { sliceText } from '../../../kernel/redaction/slice-text.ts'

const maxSlugLength = 80
const separators = /[^\p{L}\p{N}\p{M}]+/gu

/** A name of a section for ids: lower case, words joined by hyphens. */
export function toSlug(headings: readonly string[]): string {
  if (headings.length === 0) return 'overview'
  const words = headings.join(' ').normalize('NFC').toLowerCase().replaceAll(separators, '-')
  const slug = sliceText(words, 0, maxSlugLength).replaceAll(/^-+|-+$/g, '')
  return slug === '' ? 'section' : slug
}

/** Returns a function that appends `-2`, `-3` to slugs that occurred before. */
export function createSlugs(): (slug: string) => string {
  const counts = new Map<string, number>()
  return (slug) => {
    let count = (counts.get(slug) ?? 0) + 1
    while (count > 1 && counts.has(`${slug}-${count}`)) count++
    counts.set(slug, count)
    const unique = count === 1 ? slug : `${slug}-${count}`
    if (count > 1) counts.set(unique, 1)
    return unique
  }
}
