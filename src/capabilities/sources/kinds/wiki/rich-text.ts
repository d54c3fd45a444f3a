import { z } from 'zod'

const richText = z.array(
  z.looseObject({ plain_text: z.string().default(''), href: z.string().nullish() }),
)

/** The words of a rich text, with links as Markdown. Anything else is empty. */
export function toMarkdownText(value: unknown): string {
  const parts = richText.safeParse(value)
  if (!parts.success) return ''
  return parts.data
    .map(({ plain_text: text, href }) => (href && text.trim() ? `[${text}](${href})` : text))
    .join('')
}

/** The words of a rich text alone. */
function toPlainText(value: unknown): string {
  const parts = richText.safeParse(value)
  return parts.success ? parts.data.map(({ plain_text: text }) => text).join('') : ''
}

type Property = Readonly<Record<string, unknown>>

const nameOf = (value: unknown) => String(Object(value).name ?? '')
const namesOf = (value: unknown) =>
  Array.isArray(value)
    ? value
        .map(nameOf)
        .filter((name) => name !== '')
        .join(', ')
    : ''
const scalarOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const dateOf = (value: unknown) => {
  const { start = '', end } = Object(value)
  return end ? `${start} to ${end}` : String(start)
}

const readers: Readonly<Record<string, (value: unknown) => string>> = {
  rich_text: toMarkdownText,
  number: scalarOf,
  url: scalarOf,
  email: scalarOf,
  phone_number: scalarOf,
  created_time: scalarOf,
  select: nameOf,
  status: nameOf,
  multi_select: namesOf,
  people: namesOf,
  files: namesOf,
  checkbox: (value) => (value === true ? 'yes' : 'no'),
  date: dateOf,
  formula: (value) => {
    const { type } = Object(value)
    const result = Object(value)[type]
    return type === 'date'
      ? dateOf(result)
      : typeof result === 'boolean'
        ? String(result)
        : scalarOf(result)
  },
  unique_id: (value) => {
    const { prefix, number } = Object(value)
    return prefix ? `${prefix}-${number}` : scalarOf(number)
  },
}

/** The fields of an entry of a database, one a line. Empty ones are left out. */
export function renderProperties(properties: Readonly<Record<string, unknown>>): string {
  return Object.entries(properties)
    .map(([name, property]) => {
      const { type, ...values } = Object(property) as Property
      const value = readers[String(type)]?.(values[String(type)]) ?? ''
      return value === '' ? '' : `- ${name}: ${value}`
    })
    .filter((line) => line !== '')
    .join('\n')
}

export function findTitle(properties: Readonly<Record<string, unknown>>): string {
  const title = Object.values(properties).find((one) => Object(one).type === 'title')
  return toPlainText(Object(title).title).trim() || 'Untitled'
}
