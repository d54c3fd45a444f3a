import { neutralize } from '../../kernel/redaction/neutralize.ts'

/** Why a text must not stand in `MEMORY.md`; undefined where it may. */
export function findFault(text: string): string | undefined {
  if (text.trim() === '') return 'it would be empty'
  if (/^\s*[[{]/.test(text)) return 'it looks like JSON'
  return neutralize(text) === text ? undefined : 'it holds marks that others act on'
}
