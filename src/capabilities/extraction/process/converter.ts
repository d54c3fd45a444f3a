import { serveTasks } from '../../../kernel/threads/serve-tasks.ts'
import { type ChunkTask, chunkText } from '../chunks/chunk-text.ts'
import { convertFile } from '../convert.ts'
import type { FileInput } from '../result.ts'

/** What the converter process runs. */
export const converter = {
  convert: (input: FileInput) => convertFile(input),
  chunk: ({ text, bounds }: ChunkTask) => chunkText(text, bounds),
}

serveTasks(converter)
