import { neutralize, neutralizeTexts } from '../../../kernel/redaction/neutralize.ts'
import type { Memory } from '../../memory/index.ts'

/** A memory as a harness is told it; the whole of it is read by its id. */
export interface MemoryItem {
  readonly id: string
  readonly content: string
  readonly truncated: boolean
  readonly type: string
  readonly importance: number
  readonly created_at: string
  readonly tags: string | null
  readonly project: string | null
  readonly source_type: string
  readonly source_id: string | null
  readonly source_path: string | null
  readonly pinned: boolean
}

export function toItem(memory: Memory, mostCharacters: number): MemoryItem {
  const { id, type, importance, project, pinned, sourceType, sourceId, sourcePath } = memory
  const content = neutralize(memory.content)
  const truncated = content.length > mostCharacters
  return {
    ...neutralizeTexts({ id, type, importance, project, pinned, truncated }),
    content: truncated ? cutAtWord(content, mostCharacters) : content,
    created_at: memory.createdAt,
    tags: memory.tags.length === 0 ? null : neutralize(memory.tags.join(',')),
    ...neutralizeTexts({ source_type: sourceType, source_id: sourceId, source_path: sourcePath }),
  }
}

/** Between words where there is one in its last quarter. */
export function cutAtWord(text: string, most: number): string {
  const shown = text.slice(0, most - 1)
  const space = shown.search(/\s\S*$/)
  const whole = space > most * 0.75 ? shown.slice(0, space) : shown
  return `${whole.toWellFormed().trimEnd()}…`
}
