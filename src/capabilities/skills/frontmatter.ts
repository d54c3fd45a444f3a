import { parse, type Tags } from 'yaml'
import { isMapping } from '../../kernel/files/read-text.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'

/** The metadata of a skill. Missing and unreadable fields are empty. */
export interface Frontmatter {
  readonly description: string
  readonly version: string
  readonly author: string
  readonly maintainer: string
  readonly license: string
  readonly user_invocable: boolean
  readonly arg_hint: string
  readonly verified: boolean
  readonly permissions: readonly string[]
}

const maxBlockLength = 16_384
const maxTextLength = 2_000
const maxPermissions = 64

type Fields = Readonly<Record<string, unknown>>

/** Reads the block between `---` lines at the start; undefined without a readable one. */
export function readFields(text: string): Fields | undefined {
  const block = findBlock(text)
  if (!block) return undefined
  try {
    const fields: unknown = parse(text.slice(block.start, block.end), {
      schema: 'core',
      customTags: withoutNumbers,
      maxAliasCount: 16,
      logLevel: 'error',
    })
    return isMapping(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

/** A number keeps its spelling: version 1.10 is not version 1.1. */
const withoutNumbers = (tags: Tags) =>
  tags.filter((tag) => typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag))

/** The text after the frontmatter. */
export function readBodyText(text: string): string {
  const block = findBlock(text)
  return (block ? text.slice(block.end).replace(/^---[ \t]*\r?\n?/, '') : text).trim()
}

function findBlock(text: string): { readonly start: number; readonly end: number } | undefined {
  const start = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0].length
  if (start === undefined) return undefined
  const end = /^---[ \t]*$/m.exec(text.slice(start, start + maxBlockLength))?.index
  return end === undefined ? undefined : { start, end: start + end }
}

export function toFrontmatter(fields: Fields = {}): Frontmatter {
  const metadata = Object(fields['metadata']) as Fields
  const author = toText(fields['author'] ?? metadata['author'])
  return {
    description: toText(fields['description']),
    version: toText(fields['version'] ?? metadata['version']),
    author,
    maintainer: toText(fields['maintainer']) || author,
    license: toText(fields['license']),
    user_invocable: (fields['user_invocable'] ?? fields['user-invocable']) === true,
    arg_hint: toText(fields['arg_hint'] ?? fields['argument-hint']),
    verified: fields['verified'] === true,
    permissions: toList(fields['permissions']),
  }
}

function toText(value: unknown): string {
  if (typeof value !== 'string') return ''
  return sliceText(neutralize(value).trim(), 0, maxTextLength)
}

function toList(value: unknown): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : toText(value).split(',')
  return listed
    .slice(0, maxPermissions)
    .map(toText)
    .filter((one) => one !== '')
}
