import type { ListQuery } from '../../../client/wire.ts'
import { option, parseCount, parseShare } from '../command.ts'
import { parseEnd, parseStart } from '../times.ts'

/** What narrows `list` and `export`. */
export interface FilterOptions {
  readonly project?: string
  readonly tags?: string
  readonly type?: string
  readonly since?: string
  readonly until?: string
}

const memoryTypes = [
  ...['fact', 'preference', 'decision', 'rationale', 'learning', 'issue', 'rule'],
  ...['episodic', 'semantic', 'procedural', 'system', 'daily-log'],
]

export const limit = option('--limit <n>', 'at most this many', parseCount)
export const offset = option('--offset <n>', 'skip this many', parseCount)
export const reason = option('--reason <text>', 'why, for the history; at a terminal optional')
export const tags = option('--tags <a,b>', 'tags, with commas between them')
export const importance = option('--importance <n>', 'from 0 to 1', parseShare)
export const type = option('--type <type>', 'its type').choices(memoryTypes)
export const pin = option('--pin', 'never let it fade or be forgotten by accident')
export const project = option('--project <name>', 'the project it belongs to')
export const who = option('--who <name>', 'who says so')

const times = 'an ISO time, yesterday, 7d, "2 weeks ago"'
export const since = option('--since <time>', `from then on: ${times}`, parseStart)
export const until = option('--until <time>', `until then: ${times}`, parseEnd)
export const ofProject = option('--project <name>', 'only of this project')
export const ofType = option('--type <type>', 'only of this type')
export const withTags = option('--tags <a,b>', 'only with all of these tags')

export const filters = [ofProject, withTags, ofType, since, until]

export function toFilter({ project, tags, type, since, until }: FilterOptions): ListQuery {
  return { project, tags, type, since, until }
}
