/** What fences a text in a prompt, or speaks in another's name: no text that is cited may do either. */
const fences = [
  String.raw`<(?=/?(?:svc-memory-context|svc-memory|memory-context|svc-plugin-context|private)\b)`,
  String.raw`<(?=/?(?:system-reminder|command-message|local-command-stdout)\b)`,
  String.raw`<(?=!--|\|[a-z_]{1,40}\||<SYS>>)`,
]
const fence = new RegExp(fences.join('|'), 'gi')
const turn = /\[(?=\/?INST\])/gi
/** They turn the direction of a text round, or are there and not seen. */
const unseen = /[\u200B\u2060\uFEFF\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu

/** The same to read, and only to read. */
export function disarm(text: string): string {
  return text.replaceAll(unseen, '').replaceAll(fence, '&lt;').replaceAll(turn, '&#91;')
}

/** Why a text must not stand in `MEMORY.md`; undefined where it may. */
export function findFault(text: string): string | undefined {
  if (text.trim() === '') return 'it would be empty'
  if (/^\s*[[{]/.test(text)) return 'it looks like JSON'
  return disarm(text) === text ? undefined : 'it holds marks that others act on'
}
