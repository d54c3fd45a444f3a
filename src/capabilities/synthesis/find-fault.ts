import { neutralize } from '../../kernel/redaction/neutralize.ts'

/** The reason why a text must not be written. Undefined for a valid text. */
export function findFault(text: string): string | undefined {
  if (text.trim() === '') return 'it would be empty'
  if (/^\s*[[{]/.test(text)) return 'it looks like JSON'
  return neutralize(text) === text ? undefined : 'it holds marks that others act on'
}
