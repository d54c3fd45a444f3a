import { configFileNames } from '../../kernel/config/workspace.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'

export const maxFileBytes = 1_048_576

/** Listed first. */
const priorityNames = ['agent.yaml', 'AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md']

/** A Markdown or YAML file at the workspace root. */
export const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}\.(md|yaml)$/

export function assertName(name: string): void {
  if (plainName.test(name)) return
  const message = 'file must be the plain name of a .md or .yaml file'
  throw new Refusal('invalid', 'invalid_request', message)
}

export function isSettings(name: string): boolean {
  return configFileNames.some((settings) => settings === name)
}

export function sortByPriority(names: readonly string[]): string[] {
  const rank = (name: string) =>
    priorityNames.includes(name) ? priorityNames.indexOf(name) : priorityNames.length
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}
