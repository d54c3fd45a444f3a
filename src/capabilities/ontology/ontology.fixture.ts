import type { Db } from '../../kernel/db/database.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { dumpGraph, knowledgeKit, knowledgeTables } from '../knowledge/knowledge.fixture.ts'
import type { TranscriptEvidence } from '../transcripts/index.ts'
import { createOntology, type EvidenceSource, knowledgeSettings, ontologyModule } from './index.ts'
import type { OperationBatch, OperationRequest } from './operations/request.ts'

const ontologyTables = [...knowledgeTables, ...ontologyModule.migrations]
export const onEachEngine = testOnEachEngine(ontologyTables)

/** Ontology over the real graph and memory, without transcripts. */
export function ontologyKit(db: Db, sources: readonly EvidenceSource[] = []) {
  const kit = knowledgeKit(db, [
    {
      erased: (db, rows) => ontology.erasure.erased(db, rows),
      withheld: (db, entities) => ontology.erasure.withheld(db, entities),
    },
  ])
  const { needs, host, memory, knowledge } = kit
  const emitted: string[] = []
  const noTranscripts: TranscriptEvidence = {
    find: () => Promise.resolve(undefined),
    evidence: {
      findArtifact: () => Promise.resolve(undefined),
      findSummary: () => Promise.resolve(undefined),
    },
  }
  const options = {
    ...needs,
    events: {
      emit: ({ name }: { readonly name: string }) => void emitted.push(name),
      on: () => undefined,
    },
    config: () => knowledgeSettings.schema.parse(undefined),
    secretPolicy: () => 'redact' as const,
    isFilled: () => true,
    transcripts: noTranscripts,
    knowledge,
    models: { isReady: () => false, run: () => Promise.reject(new Error('no model')) },
  }
  const ontology = createOntology(options)
  for (const source of sources) ontology.evidenceSources.add(source)
  for (const { seal } of ontology.extensionPoints) seal()
  const { service } = ontology
  /** Saves a memory of Ada and returns its id. */
  const remember = async (content: string, more: object = {}) => {
    const { id } = (await memory.remember(callerFor('ada'), { content, ...more } as never)).memory
    return id
  }
  const apply = (operations: readonly Operation[], more: Partial<OperationBatch> = {}) =>
    service.applyOperations({
      agentId: 'ada',
      actor: { name: 'ada', type: 'operator' },
      origin: { kind: 'operations', id: null },
      mode: 'all',
      dryRun: false,
      citations: 'optional',
      ...more,
      operations: operations.map(toRequest),
    })
  const undo = (request: { readonly proposalId?: string; readonly batchId?: string }) =>
    service.undo({
      agentId: 'ada',
      actor: { name: 'ada', type: 'operator' },
      dryRun: false,
      ...request,
    })
  const evidenceSources = { list: () => [] }
  const ontologyNeeds = { ...options, evidenceSources }
  const services = { ontology, service, memory, knowledge, needs: ontologyNeeds }
  return { db, host, emitted, ...services, remember, apply, undo }
}

/** A name, a payload and the evidence of an operation. */
export type Operation = readonly [
  name: string,
  payload: Readonly<Record<string, unknown>>,
  more?: Partial<OperationRequest>,
]

function toRequest([operation, payload, more]: Operation): OperationRequest {
  const source = { sourceKind: null, sourceId: null, sourcePath: null, sourceRoot: null }
  const rest = { evidence: [], confidence: undefined, rationale: '', risk: null, source }
  return { operation, payload, ...rest, ...more }
}

type Dump = Awaited<ReturnType<typeof dumpGraph>> &
  Readonly<Record<'contradictions' | 'entities' | 'knowledgeCitations', readonly string[]>>

/** The graph with its contradictions. */
export async function dumpAll(db: Db): Promise<Dump> {
  const all = db.withTables<Record<string, Record<string, unknown>>>()
  const contradictions = await all.selectFrom('ontologyContradictions').selectAll().execute()
  const graph = (await dumpGraph(db)) as Dump
  return {
    ...graph,
    contradictions: contradictions.map((row) => JSON.stringify(row)).toSorted(),
  }
}
