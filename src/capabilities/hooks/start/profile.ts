import type { HooksConfig } from '../config.ts'
import { defaultFiles } from './workspace-files.ts'

/** Sections that a profile may omit. Constraints are always included. */
const sections = [
  'guidance',
  'files',
  'status',
  'gap',
  'peers',
  'working-memory',
  'memories',
  'update',
  'plugins',
  'secrets',
  'parent',
  'recovery',
] as const
type Section = (typeof sections)[number]

const keys = ['files', 'sections', 'maxInjectTokens']
const charactersPerToken = 4

/** The files, sections and size of the start context of a harness. */
export interface Profile {
  /** Of the workspace. */
  readonly files: readonly string[]
  /** Characters of the start context. */
  readonly budget: number
  includes(section: Section): boolean
  /** Unknown names in the settings, each in a sentence. */
  readonly problems: readonly string[]
}

export function chooseProfile(
  config: Pick<
    HooksConfig,
    'contextProfiles' | 'harnessProfiles' | 'defaultContextProfile' | 'sessionStart'
  >,
  harness: string,
): Profile {
  const { includeIdentity, includeRecentContext, maxInjectChars, maxInjectTokens } =
    config.sessionStart
  const name = ownOf(config.harnessProfiles, harness) ?? config.defaultContextProfile
  const chosen = name === undefined ? undefined : ownOf(config.contextProfiles, name)
  const named = new Set<string>(chosen?.sections ?? sections)
  if (!includeIdentity) named.delete('files')
  if (!includeRecentContext) named.delete('working-memory')
  const defaultBudget = maxInjectChars ?? charactersPerToken * maxInjectTokens
  return {
    files: chosen?.files ?? defaultFiles,
    budget: chosen?.maxInjectTokens ? charactersPerToken * chosen.maxInjectTokens : defaultBudget,
    includes: (section) => named.has(section),
    problems: name === undefined ? [] : listProblems(name, chosen),
  }
}

/** Ignores inherited keys: a harness name may be `constructor`. */
function ownOf<Value>(named: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined
}

function listProblems(name: string, chosen: HooksConfig['contextProfiles'][string] | undefined) {
  if (!chosen) return [`There is no context profile '${name}'.`]
  const unknown = [
    ...Object.keys(chosen).filter((key) => !keys.includes(key)),
    ...(chosen.sections ?? []).filter((section) => !sections.some((known) => known === section)),
  ]
  return unknown.map((word) => `The context profile '${name}' names '${word}', which is nothing.`)
}
