import { option } from '../command.ts'

/** The filters of `list` and `export`. */
export interface FilterOptions {
  readonly project?: string
  readonly tags?: string
  readonly type?: string
  readonly since?: string
  readonly until?: string
}

const memoryTypes = [
  'fact',
  'preference',
  'decision',
  'rationale',
  'learning',
  'issue',
  'rule',
  'episodic',
  'semantic',
  'procedural',
  'system',
  'daily-log',
]

export const limit = option('--limit <n>', 'maximum number of results', { type: 'count' })
export const reason = option('--reason <text>', 'reason for the history; optional at a terminal')
export const tags = option('--tags <a,b>', 'comma-separated tags')
export const importance = option('--importance <n>', 'importance, 0 to 1', { type: 'share' })
export const type = option('--type <type>', 'type of the memory', { choices: memoryTypes })
export const pin = option('--pin', 'protect the memory from decay and accidental deletion')

const times = 'an ISO time, yesterday, 7d, "2 weeks ago"'
export const since = option('--since <time>', `from this time: ${times}`, { type: 'start' })
export const until = option('--until <time>', `until this time: ${times}`, { type: 'end' })
export const ofProject = option('--project <name>', 'filter by project')
export const ofType = option('--type <type>', 'filter by type')
export const withTags = option('--tags <a,b>', 'filter by tags; all must match')

export const filters = [ofProject, withTags, ofType, since, until]

export function toFilter({ project, tags, type, since, until }: FilterOptions) {
  return { project, tags, type, since, until }
}
