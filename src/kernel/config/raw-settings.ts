import { basename } from 'node:path'
import { parse } from 'yaml'
import { messageOf } from '../errors/system-error.ts'
import { aliases, type RenamedSetting } from './aliases.ts'
import { ConfigError } from './workspace.ts'

interface RawSettings {
  /** As in the file, under the new names of renamed settings. */
  readonly rawSettings: object
  readonly renamedSettings: readonly RenamedSetting[]
}

/** Parses the text of a settings file, before defaults. */
export function readRawSettings(file: string, text: string): RawSettings {
  return replaceOldNames(readYaml(file, text))
}

/** Returns the value at a dotted path before defaults. The text must be valid YAML. */
export function readRawValue(text: string, path: string): unknown {
  return valueAt(parse(text, { logLevel: 'error' }), path)
}

export function valueAt(settings: unknown, path: string): unknown {
  return path.split('.').reduce((at, name) => Object(at)[name], settings)
}

function readYaml(file: string, text: string): object {
  try {
    const rawSettings: unknown = parse(text, { logLevel: 'error' }) ?? {}
    if (typeof rawSettings === 'object' && rawSettings && !Array.isArray(rawSettings))
      return rawSettings
  } catch (error) {
    const [first = ''] = messageOf(error).split('\n')
    throw new ConfigError(`${basename(file)} is not YAML: ${first.replace(/:$/, '')}`)
  }
  throw new ConfigError(`${basename(file)} must hold settings such as "auth: { mode: local }"`)
}

/** Moves values to the new names of their settings. A value under the new name takes precedence. */
function replaceOldNames(settings: object): RawSettings {
  const rawSettings = structuredClone(settings)
  const renamedSettings = Object.entries(aliases).flatMap(([key, replacement]) => {
    const value = valueAt(rawSettings, key)
    if (value === undefined) return []
    const [from, to] = [locate(rawSettings, key), locate(rawSettings, replacement)]
    Reflect.deleteProperty(from.parent, from.name)
    if (valueAt(rawSettings, replacement) === undefined) Reflect.set(to.parent, to.name, value)
    return [{ key, replacement }]
  })
  return { rawSettings, renamedSettings }
}

/** The mapping that contains the setting, created if it is missing. */
function locate(settings: object, key: string) {
  const path = key.split('.')
  const parent = path.slice(0, -1).reduce((mapping, name) => {
    if (!isObject(Reflect.get(mapping, name))) Reflect.set(mapping, name, {})
    return Object(Reflect.get(mapping, name))
  }, settings)
  return { parent, name: path.at(-1) ?? '' }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
