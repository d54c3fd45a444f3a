import { createExtraction, extractionModule } from '../capabilities/extraction/index.ts'
import { contentRegistry } from './capabilities.ts'

/** The capabilities about content and those that import material of others. */
export const importRegistry = contentRegistry.add(extractionModule, (kernel) =>
  createExtraction(kernel),
)
