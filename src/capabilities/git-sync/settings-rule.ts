import { configFileNames } from '../../kernel/config/workspace.ts'
import type { GitSyncNeeds } from './needs.ts'

/** Sections that decide what a machine runs, trusts or sends out. A remote does not change them. */
const localSections = [
  'auth',
  'dashboard',
  'database',
  'embedding',
  'git',
  'hygiene',
  'inference',
  'logging',
  'outbound',
  'process',
  'secrets',
  'server',
  'skills',
  'sources',
  'tasks',
  'updates',
  'update',
  'memory.pipelineV2.extraction',
  'memory.pipelineV2.paused',
]

export function isSettingsFile(path: string): boolean {
  return configFileNames.some((name) => name.toLowerCase() === path.toLowerCase())
}

interface SettingsTexts {
  readonly file: string
  readonly base: string | undefined
  readonly ours: string
  readonly theirs: string
  readonly merged: string
}

/** Whether a merged settings file may replace the local one. */
export function mayApplySettings(
  settings: Pick<GitSyncNeeds['settings'], 'examine' | 'readValue'>,
  { file, base = '', ours, theirs, merged }: SettingsTexts,
): boolean {
  const isValid = (text: string) => settings.examine(file, text) === undefined
  if (!isValid(merged) || !isValid(theirs)) return false
  const read = (text: string, key: string) =>
    isValid(text) ? JSON.stringify(settings.readValue(text, key)) : undefined
  const isEqual = (one: string, other: string) =>
    localSections.every((key) => read(one, key) === read(other, key))
  return isEqual(base, theirs) && isEqual(ours, merged)
}
