import { createExtractor } from './extractor.ts'
import { extractionHealth } from './health.ts'
import type { ExtractionNeeds } from './needs.ts'

export { noteBounds, type TextChunk } from './chunks/chunk-text.ts'
export type { Extractor } from './extractor.ts'
export type { ImportedContent } from './import-file.ts'
export type { FileInput } from './result.ts'

export const extractionModule = { name: 'extraction' } as const

export function createExtraction(needs: ExtractionNeeds) {
  const { extractor, restarts, stop } = createExtractor(needs)
  return {
    health: extractionHealth({ host: needs.host, restarts }),
    extractor,
    stop,
  }
}
