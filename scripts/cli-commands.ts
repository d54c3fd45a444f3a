import { z } from 'zod'
import type { Route } from '../src/kernel/http/route.ts'
import {
  type CommandSpec,
  nameOf,
  type OptionSpec,
  option,
  type RequestField,
  type ValueType,
  wholeBody,
} from '../src/surfaces/cli/command.ts'
import type { Operation } from '../src/surfaces/cli/operation.ts'
import { operations } from '../src/surfaces/cli/operations.ts'

/** Every command as data, in the order of the help: the flows, and one for each operation. */
export function describeCommands(
  flows: readonly CommandSpec[],
  routes: readonly Route[],
  table = operations,
): readonly CommandSpec[] {
  const specs = [...flows]
  for (const operation of table)
    specs.splice(findPosition(specs, operation), 0, describeOperation(operation, routes))
  return specs
}

function findPosition(specs: readonly CommandSpec[], { command, after }: Operation): number {
  const [noun = ''] = command.split(' ')
  const isBefore = ({ usage }: CommandSpec) =>
    after === undefined ? usage.startsWith(`${noun} `) : nameOf(usage) === after
  const last = specs.findLastIndex(isBefore)
  return last < 0 ? specs.length : last + 1
}

/** The command of an operation, with arguments and options from the schemas of its route. */
export function describeOperation(operation: Operation, routes: readonly Route[]): CommandSpec {
  const { command, aliases, examples = [`reverie ${command}`] } = operation
  const route = routes.find(({ method, path }) => `${method} ${path}` === operation.route)
  if (!route) throw new Error(`${command}: there is no route ${operation.route}`)
  const { positional, optional } = split(listProperties(route), operation)
  if (positional.length > 0 && !operation.examples)
    throw new Error(`${command}: a command with arguments needs examples`)
  const named = optional.map((property) => describeOption(property, operation))
  const listed = positional.map((property, index) => toField(property, index))
  const paging = pagingOf(route)
  const reason = optional.find(({ name }) => name === 'reason')
  const requiresReason = operation.requiresReason ?? reason?.isRequired ?? false
  return {
    usage: [command, ...positional.map(toArgument)].join(' '),
    ...(aliases && { aliases }),
    summary: operation.summary ?? toPhrase(route.summary ?? command),
    options: [
      ...named.map(([spec]) => spec),
      ...(paging ? [option('--all', 'read every page')] : []),
      ...(operation.repeats ? [option('--all', repeatDescription)] : []),
      ...(asksFirst(operation) ? [option('--yes', 'skip the confirmation')] : []),
    ],
    examples,
    request: {
      route: operation.route,
      fields: [...listed, ...named.map(([, field]) => field)],
      ...(paging && { paging }),
      ...(requiresReason && { requiresReason }),
    },
  }
}

const repeatDescription = 'repeat until nothing remains, and wait for the limits'

function asksFirst({ route, confirm }: Operation): boolean {
  return confirm === undefined ? route.startsWith('DELETE ') : confirm !== false
}

interface Property {
  readonly part: RequestField['part']
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly isRequired: boolean
}

/** The agent is a global option, and the daemon records who changed something. */
const omittedFields = ['agentId', 'agent_id', 'changed_by']

/** The fields of a route; the first one of several spellings or parts. */
function listProperties({ params, body, query }: Route): readonly Property[] {
  const listed = new Map<string, Property>()
  for (const [part, type] of Object.entries({ path: params, body, query })) {
    if (!type) continue
    const { properties = fieldsWithout(part), required = [] } = z.toJSONSchema(type, {
      io: 'input',
    })
    for (const [name, schema] of Object.entries(properties)) {
      const property = {
        name,
        schema: toVariant(Object(schema)),
        isRequired: required.includes(name),
      }
      const key = toKebab(name)
      if (!omittedFields.includes(name) && !listed.has(key))
        listed.set(key, { part: part as Property['part'], ...property })
    }
  }
  return [...listed.values()]
}

/** A body without fields of its own, such as a list, is one option. */
function fieldsWithout(part: string): Readonly<Record<string, object>> {
  return part === 'body' ? { [wholeBody]: { type: 'object', description: 'The body.' } } : {}
}

/** The alternative of a union that a command line can express. */
function toVariant(schema: Property['schema']): Property['schema'] {
  const variants: unknown = schema['anyOf']
  const usable = Array.isArray(variants) && variants.map(Object).find(({ type }) => type !== 'null')
  return usable ? { ...schema, ...usable } : schema
}

function split(properties: readonly Property[], operation: Operation) {
  const names = operation.arguments ?? []
  const isPositional = ({ part, name }: Property) => part === 'path' || names.includes(name)
  const rank = ({ part, name }: Property) => (part === 'path' ? -1 : names.indexOf(name))
  const optional = properties.filter((property) => {
    const renamed = operation.options?.[property.name]
    const isTyped = property.schema['type'] !== undefined || property.schema['enum'] !== undefined
    return !isPositional(property) && renamed !== null && (renamed !== undefined || isTyped)
  })
  const positional = properties.filter(isPositional)
  return { positional: positional.toSorted((a, b) => rank(a) - rank(b)), optional }
}

function toArgument({ name, isRequired, part }: Property): string {
  return isRequired || part === 'path' ? `<${toKebab(name)}>` : `[${toKebab(name)}]`
}

function toField({ part, name, schema }: Property, source: number | string): RequestField {
  const type = typeOf(name, schema)
  const ids = schema['x-ids']
  return {
    part,
    name,
    source,
    ...(type && { type }),
    ...(typeof ids === 'string' && { ids }),
  }
}

function describeOption(property: Property, operation: Operation): [OptionSpec, RequestField] {
  const { name, schema, isRequired } = property
  const flag = operation.options?.[name] ?? (name === wholeBody ? 'body' : toKebab(name))
  const long = flag.replace(/^[!=]/, '')
  const field = toField(property, toCamel(long))
  const description = operation.descriptions?.[name] ?? describe(property)
  if (/^[!=]/.test(flag) || isFlag(schema))
    return describeFlag({ flag, schema, description, field })
  const { enum: choices } = schema
  const spec = option(
    `--${long} <${(field.type && placeholders[field.type]) ?? long.replace(/.*-/, '')}>`,
    description,
    {
      ...(field.type && { type: field.type }),
      ...(Array.isArray(choices) && !field.type && { choices: choices.map(String) }),
      ...(isRequired && name !== 'reason' && { isRequired }),
    },
  )
  return [spec, field]
}

interface Flag {
  readonly flag: string
  readonly schema: Property['schema']
  readonly description: string
  readonly field: RequestField
}

function describeFlag({ flag, schema, description, field }: Flag): [OptionSpec, RequestField] {
  const long = flag.replace(/^[!=]/, '')
  if (flag.startsWith('!'))
    return [option(`--${long}`, description), { ...field, isInverted: true }]
  if (!flag.startsWith('='))
    return [option(schema['default'] === true ? `--no-${long}` : `--${long}`, description), field]
  const type = 'boolean' as const
  return [option(`--${long} <${placeholders[type]}>`, description, { type }), { ...field, type }]
}

const placeholders: Readonly<Record<ValueType, string>> = {
  count: 'n',
  number: 'n',
  share: 'n',
  start: 'time',
  end: 'time',
  list: 'text',
  json: 'json',
  boolean: 'true|false',
}

const times = 'an ISO time, yesterday, 7d, "2 weeks ago"'
const notes: Readonly<Partial<Record<ValueType, string>>> = {
  start: `: ${times}`,
  end: `: ${times}`,
  list: '; repeatable',
  json: '; JSON, @FILE, or - for stdin',
}
const commonDescriptions: Readonly<Record<string, string>> = {
  limit: 'maximum number of results',
  offset: 'number of results to skip',
  cursor: 'the position after the previous page',
  project: 'filter by project',
  reason: 'reason for the history; optional at a terminal',
}

function describe({ name, schema }: Property): string {
  const type = typeOf(name, schema)
  const { description } = schema
  const text =
    typeof description === 'string'
      ? toPhrase(description).replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())
      : (commonDescriptions[name] ?? toKebab(name).replaceAll('-', ' '))
  return `${text}${(type && notes[type]) ?? ''}`
}

function isFlag({ type, enum: choices }: Property['schema']): boolean {
  const isWord = Array.isArray(choices) && ['true', 'false'].every((word) => choices.includes(word))
  return type === 'boolean' || isWord
}

const untilNames = /^(until|before|to|end)|(Until|Before|To|End)$/

function typeOf(name: string, schema: Property['schema']): ValueType | undefined {
  const { type, format, items, enum: choices } = schema
  if (Array.isArray(choices)) return numberTypeOf({ type })
  if (format === 'date-time') return untilNames.test(name) ? 'end' : 'start'
  if (Array.isArray(type)) return type.includes('array') ? 'list' : undefined
  if (type === 'array' && [undefined, 'string'].includes(Object(items).type)) return 'list'
  return type === 'array' || type === 'object' ? 'json' : numberTypeOf(schema)
}

function numberTypeOf({ type, minimum, maximum }: Property['schema']): ValueType | undefined {
  if (type === 'integer') return Number(minimum) >= 0 ? 'count' : 'number'
  if (type === 'number') return minimum === 0 && maximum === 1 ? 'share' : 'number'
  return undefined
}

function pagingOf({ query }: Route): 'cursor' | 'offset' | undefined {
  const { properties = {} } = query ? z.toJSONSchema(query, { io: 'input' }) : {}
  return (['cursor', 'offset'] as const).find((name) => name in properties)
}

/** The first sentence, without its period. */
function toPhrase(text: string): string {
  return (text.split('. ')[0] ?? '').replace(/\.$/, '')
}

function toKebab(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function toCamel(kebab: string): string {
  return kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
