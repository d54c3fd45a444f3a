import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { serveTasks } from '../../../kernel/threads/serve-tasks.ts'
import { type ChunkTask, chunkText } from '../chunks/chunk-text.ts'
import { outlineText } from '../chunks/outline.ts'
import { convertFile } from '../convert.ts'
import { readImportedFile } from '../import-file.ts'
import type { FileInput } from '../result.ts'

/** What the converter process runs. */
export const converter = {
  convert: (input: FileInput) => convertFile(input),
  readImport: (input: FileInput) => readImportedFile(input),
  clean: (text: string) => Promise.resolve(toCleanText(text)),
  chunk: ({ text, bounds }: ChunkTask) => chunkText(text, bounds),
  outline: (text: string) => outlineText(text),
}

serveTasks(converter)
