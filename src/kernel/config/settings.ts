import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { isMapping } from '../files/read-text.ts'

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

/** Describes one setting; a map with keys that the user chooses is one setting. */
export interface SettingSchema {
  readonly key: string
  readonly schema: JsonSchema
  readonly needsRestart: boolean
}

/** Lists the schemas of all settings, by key. Kernel settings all need a restart. */
export function listSettingSchemas(
  kernelSections: readonly SettingsSection[],
  sections: readonly SettingsSection[],
): SettingSchema[] {
  const restart = [
    ...kernelSections.map(({ key }) => key),
    ...sections.flatMap(({ key, restart: names = [] }) => names.map((name) => `${key}.${name}`)),
  ]
  return listSchemas(describe([...kernelSections, ...sections]), '').map(([key, schema]) => ({
    key,
    schema,
    needsRestart: restart.some((name) => key === name || key.startsWith(`${name}.`)),
  }))
}

/** Finds keys of a settings file that no section declares. */
export function findUnknownSettings(
  settings: object,
  sections: readonly SettingsSection[],
): UnknownSetting[] {
  // To describe all sections takes a twentieth of a start, and most files use few of them.
  const used = sections.filter(({ key }) => Object.hasOwn(settings, key.replace(/\..*/, '')))
  const unknown = listUnknown(settings, describe(used), '')
  if (unknown.length === 0) return []
  const known = listLeaves(describe(sections), '').map(([name]) => name)
  return unknown.map((key) => ({ key, nearest: findNearest(key, known) }))
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

function listLeaves(root: JsonSchema, path: string): [name: string, byDefault: unknown][] {
  return listSchemas(root, path).map(([name, schema]) =>
    typeof schema.additionalProperties === 'object'
      ? [`${name}.<name>`, undefined]
      : [name, schema.default],
  )
}

function listSchemas(schema: JsonSchema, path: string): [name: string, schema: JsonSchema][] {
  const { properties } = schema
  if (!properties) return [[path, schema]]
  return Object.entries(properties).flatMap(([name, child]) =>
    listSchemas(Object(child), join(path, name)),
  )
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

function findNearest(key: string, knownKeys: readonly string[]): string | null {
  const nearest = closest(key, knownKeys)
  return distance(key, nearest) <= key.length / 2 ? nearest : null
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
