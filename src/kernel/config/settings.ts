import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'

type JsonSchema = Exclude<z.core.JSONSchema._JSONSchema, boolean>

/** Settings that one module owns. */
export interface SettingsSection<Schema extends z.ZodType = z.ZodType> {
  /** A key of `agent.yaml`, top-level (`search`) or dotted (`memory.pipelineV2.continuity`). */
  readonly key: string
  readonly schema: Schema
  /** Names within the section that take effect after a restart. */
  readonly restart?: readonly string[]
}

export function defineSettings<Schema extends z.ZodType>(
  key: string,
  schema: Schema,
  { restart = [] }: Pick<SettingsSection, 'restart'> = {},
): SettingsSection<Schema> {
  return { key, schema, restart }
}

export interface UnknownSetting {
  readonly key: string
  /** The known setting with the most similar name; null when none is similar. */
  readonly nearest: string | null
}

/** Lists all settings with their defaults. A key that the user chooses is `<name>`. */
export function listSettings(sections: readonly SettingsSection[]): Map<string, unknown> {
  return new Map(listLeaves(describe(sections), ''))
}

/** Finds keys of a settings file that no section declares. */
export function findUnknownSettings(
  settings: object,
  sections: readonly SettingsSection[],
): UnknownSetting[] {
  const schema = describe(sections)
  const known = listLeaves(schema, '').map(([name]) => name)
  return listUnknown(settings, schema, '').map((key) => ({ key, nearest: findNearest(key, known) }))
}

/** Returns one JSON Schema for all sections, nested by their keys. */
function describe(sections: readonly SettingsSection[]): JsonSchema {
  const root: JsonSchema = { properties: {} }
  for (const { key, schema } of sections.toSorted((a, b) => a.key.length - b.key.length)) {
    const { properties = {}, ...rest } = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
    }) as JsonSchema
    const node = key.split('.').reduce((parent, name) => {
      parent.properties ??= {}
      const child = Object(parent.properties[name] ?? {})
      parent.properties[name] = child
      return child as JsonSchema
    }, root)
    const isMap = rest.type === 'object' && rest.additionalProperties !== undefined
    if (Object.keys(properties).length > 0 || !isMap) Object.assign(node, rest)
    else Object.assign(node, { additionalProperties: rest.additionalProperties })
    if (Object.keys(properties).length > 0) node.properties = { ...node.properties, ...properties }
  }
  return root
}

function listLeaves(schema: JsonSchema, path: string): [name: string, byDefault: unknown][] {
  const { properties, additionalProperties } = schema
  if (properties)
    return Object.entries(properties).flatMap(([name, child]) =>
      listLeaves(Object(child), join(path, name)),
    )
  if (typeof additionalProperties === 'object') return [[`${path}.<name>`, undefined]]
  return [[path, schema.default]]
}

function listUnknown(value: unknown, schema: JsonSchema, path: string): string[] {
  const { properties, additionalProperties } = schema
  if (!isMapping(value) || (!properties && !additionalProperties)) return []
  return Object.entries(value).flatMap(([name, child]) => {
    const known = properties?.[name] ?? additionalProperties
    if (known) return listUnknown(child, Object(known), join(path, name))
    return listPaths(child, join(path, name))
  })
}

function listPaths(value: unknown, path: string): string[] {
  if (!isMapping(value) || Object.keys(value).length === 0) return [path]
  return Object.entries(value).flatMap(([name, child]) => listPaths(child, join(path, name)))
}

function findNearest(key: string, known: readonly string[]): string | null {
  const nearest = closest(key, known)
  return distance(key, nearest) <= key.length / 2 ? nearest : null
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
