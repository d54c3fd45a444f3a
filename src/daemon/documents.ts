import { homedir } from 'node:os'
import { connectorsModule, createConnectors } from '../capabilities/connectors/index.ts'
import {
  createDocuments,
  documentSettings,
  documentsModule,
} from '../capabilities/documents/index.ts'
import { createExtraction, extractionModule } from '../capabilities/extraction/index.ts'
import { contentRegistry } from './capabilities.ts'

/** The capabilities about content and those that import material of others. */
export const importRegistry = contentRegistry
  .add(extractionModule, (kernel) => createExtraction(kernel))
  .add(documentsModule, (kernel, { agents, extraction, memory }) =>
    createDocuments({
      ...kernel,
      config: () => kernel.config.read(documentSettings),
      agents,
      extraction,
      memory,
    }),
  )
  .add(connectorsModule, (kernel, { documents }) =>
    createConnectors({ ...kernel, home: homedir(), documents }),
  )
