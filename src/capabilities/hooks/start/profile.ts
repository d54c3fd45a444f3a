import type { HooksConfig } from '../config.ts'
import { usualFiles } from './workspace-files.ts'

/** What a beginning may leave out; what must be heeded it never does. */
const sections = [
  ...(['guidance', 'files', 'status', 'gap', 'peers', 'working-memory', 'memories'] as const),
  ...(['update', 'plugins', 'secrets', 'parent', 'recovery'] as const),
]
type Section = (typeof sections)[number]

const keys = ['files', 'sections', 'maxInjectTokens']
const charactersPerToken = 4

/** What a harness is told at a beginning, and how much of it. */
export interface Profile {
  /** Of the workspace. */
  readonly files: readonly string[]
  /** Characters of all of it. */
  readonly budget: number
  tells(section: Section): boolean
  /** What is written in its settings and means nothing, each in a sentence. */
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
  const usual = maxInjectChars ?? charactersPerToken * maxInjectTokens
  return {
    files: chosen?.files ?? usualFiles,
    budget: chosen?.maxInjectTokens ? charactersPerToken * chosen.maxInjectTokens : usual,
    tells: (section) => named.has(section),
    problems: name === undefined ? [] : listProblems(name, chosen),
  }
}

/** A harness may call itself `constructor`. */
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
