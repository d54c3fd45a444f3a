import { afterAll } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import type { NewJob } from '../../kernel/jobs/enqueue.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { noChildLedger } from '../../kernel/testing/no-child-ledger.ts'
import { agentsModule } from '../agents/index.ts'
import { createExtraction } from '../extraction/index.ts'
import { createMemory, memoryMigrations } from '../memory/index.ts'
import { memoryNeeds } from '../memory/memory.fixture.ts'
import { addDocument, type DocumentRequest } from './add-document.ts'
import { documentSettings } from './config.ts'
import { createIngestJob } from './ingest/ingest.ts'
import { documentMigrations } from './migrations.ts'
import type { DocumentsNeeds } from './needs.ts'
import { readDocument } from './read-documents.ts'

/** Of the tables that documents use. */
export const documentsKitMigrations = [
  ...agentsModule.migrations,
  ...memoryMigrations,
  ...documentMigrations,
]

export const onEachEngine = testOnEachEngine(documentsKitMigrations)

export const ada = callerFor('ada')

/** Documents over real memories and a real extraction. Jobs run when the test runs them. */
export function documentsKit(db: Db, more: Partial<DocumentsNeeds> = {}) {
  const { needs: memoryOptions } = memoryNeeds(db)
  const memory = createMemory(memoryOptions)
  for (const { seal } of memory.extensionPoints) seal()
  const extraction = createExtraction({ ...memoryOptions, host: realHost, children: noChildLedger })
  afterAll(extraction.stop)
  const queued: NewJob[] = []
  const needs: DocumentsNeeds = {
    ...memoryOptions,
    background: db,
    host: realHost,
    jobs: {
      enqueue: async (_, job) => {
        queued.push(job)
        return { id: `job-${queued.length}`, deduped: false }
      },
      wake: () => undefined,
      cancel: async () => 0,
      find: async () => undefined,
      countsOf: async () => ({ pending: 0, leased: 0, completed: 0, failed: 0, dead: 0 }) as never,
    },
    outbound: { fetch: async () => Promise.reject(new Error('not expected')) },
    config: () => documentSettings.schema.parse(undefined),
    extraction,
    memory,
    ...more,
  }
  const job = createIngestJob(needs)
  /** Runs the ingest of a document once. */
  const ingest = (documentId: string, attempt = 1) =>
    job.run({
      id: 'job-1',
      payload: { documentId },
      attempt,
      agentId: 'ada',
      subject: null,
      signal: new AbortController().signal,
    })
  const connectors = { list: () => [{ exists: async (_: unknown, id: string) => id === 'known' }] }
  const add = (request: DocumentRequest) => addDocument({ ...needs, connectors }, ada, request)
  const read = (id: string) => readDocument(needs, ada, id)
  return { needs, memory, queued, ingest, add, read }
}

/** A reply of a server of documents. */
export function replyWith(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/html' },
): Pick<Outbound, 'fetch'> {
  return { fetch: async (url) => ({ status, headers, body: Buffer.from(body), url }) }
}
