import { createExtractor } from './extractor.ts'
import { extractionHealth } from './health.ts'
import type { ExtractionNeeds } from './needs.ts'

export { noteBounds } from './chunks/chunk-text.ts'
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
