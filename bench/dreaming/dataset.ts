import { readFileSync } from 'node:fs'

export interface Turn {
  readonly corpus: string
  readonly id: string
  readonly session: string
  readonly time: string | null
  readonly speaker: string
  readonly role: 'user' | 'assistant'
  readonly project: string | null
  readonly text: string
}

/** Turns of a dreaming data set, or documents of a retrieval data set, by corpus. */
export function readTurns(path: string): Map<string, Turn[]> {
  const corpora = new Map<string, Turn[]>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue
    const item = JSON.parse(line) as Turn & { readonly kind: string }
    if (item.kind !== 'turn' && item.kind !== 'document') continue
    const list = corpora.get(item.corpus) ?? []
    list.push({ ...item, project: item.project ?? null, role: item.role ?? 'user' })
    corpora.set(item.corpus, list)
  }
  return corpora
}
