import { z } from 'zod'

/** Sentences for what a schema refuses. A schema with a message of its own keeps it. */
z.config({ localeError: describeIssue })

type Issue = z.core.$ZodRawIssue

export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input)
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `must ${toBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`
    case 'too_small':
      return `must ${toBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
    case 'invalid_format':
      return describeFormat(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`
    case 'invalid_key':
      return 'has a name that is not valid'
    case 'invalid_element':
      return 'has an item that is not valid'
    case 'invalid_union':
      return 'has none of the accepted forms'
    default:
      return 'is not valid'
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
  undefined: 'absent',
  date: 'a date',
  nan: 'not a number',
}
const toTypeName = (type: string) => typeNames[type] ?? type

function describeType(expected: string, input: unknown): string {
  if (input === undefined) return `is required: ${toTypeName(expected)}`
  const isInfinite = typeof input === 'number' && !Number.isFinite(input)
  const actual = isInfinite ? String(input) : toTypeName(z.core.util.parsedType(input))
  // A number with a fraction has the right type already.
  const isFraction = expected === 'int' && typeof input === 'number' && !isInfinite
  return `must be ${toTypeName(expected)}; it is ${isFraction ? input : actual}`
}

const units: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'entries',
  file: 'bytes',
}

function toBound(origin: string, relation: string, bound: number | bigint): string {
  const unit = units[origin]
  if (unit === undefined) return `be ${relation} ${bound}`
  return `have ${relation} ${bound} ${Number(bound) === 1 ? unit.replace(/ies$|s$/, (end) => (end === 'ies' ? 'y' : '')) : unit}`
}

const formatNames: Readonly<Record<string, string>> = {
  url: 'a URL',
  email: 'an email address',
  uuid: 'a UUID',
  datetime: 'a time such as 2026-05-01T08:00:00Z',
  date: 'a date such as 2026-05-01',
  time: 'a time of day such as 08:00:00',
  duration: 'a duration such as PT1H',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'a range of IPv4 addresses',
  cidrv6: 'a range of IPv6 addresses',
  base64: 'text in base64',
  base64url: 'text in base64url',
}

function describeFormat(issue: Issue & { readonly code: 'invalid_format' }): string {
  const { format } = issue
  if (format === 'regex') return `must match ${issue['pattern']}`
  if (format === 'starts_with') return `must start with ${issue['prefix']}`
  if (format === 'ends_with') return `must end with ${issue['suffix']}`
  if (format === 'includes') return `must contain ${issue['includes']}`
  return `must be ${formatNames[format] ?? format}`
}
