import { configFileNames } from '../../kernel/config/workspace.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'

export const largestFileBytes = 1_048_576

/** What people look for first. */
const first = ['agent.yaml', 'AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md']

/** In the folder itself, and of a kind that is read there. */
export const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}\.(md|yaml)$/

export function refuseName(name: string): void {
  if (plainName.test(name)) return
  const message = 'file must be the plain name of a .md or .yaml file'
  throw new Refusal('invalid', 'invalid_request', message)
}

export function isSettings(name: string): boolean {
  return configFileNames.some((settings) => settings === name)
}

export function inOrder(names: readonly string[]): string[] {
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  return names.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
}
