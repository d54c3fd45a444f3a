import type { z } from 'zod'
import type { Caller } from '../../../kernel/auth/caller.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { invalidRequest, notFound, Refusal } from '../../../kernel/errors/refusal.ts'
import { toCanonicalName } from '../../knowledge/index.ts'
import { assertionBody } from '../assertions/schemas.ts'
import { createAssertion } from '../assertions/write-assertions.ts'
import { type Evidence, type EvidenceRef, parseItem } from '../evidence/evidence.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import type { OntologyNeeds } from '../needs.ts'
import { type OperationRequest, parseOperation } from '../operations/request.ts'
import { type JsonObject, maxPending } from '../proposal.ts'
import { createProposals } from '../proposals/create-proposals.ts'
import { fingerprintOf } from '../proposals/fingerprint.ts'
import { actorOf } from '../schemas.ts'
import { countPending, listPendingFingerprints } from '../store/proposals.ts'
import { toWireDraft } from './consolidate.ts'
import { readFencedJson } from './fenced-json.ts'
import { draftByModel, type ModelDrafts } from './model-drafts.ts'
import type { Draft } from './read-text.ts'
import type { extractBody } from './schemas.ts'
import { draftStructured } from './structured.ts'
import type { TextReader } from './text-reader.ts'

/** Characters of a source that are read. */
const maxSourceLength = 200_000
const maxCandidates = 500
const fencedConfidence = 0.6

interface ExtractNeeds extends OntologyNeeds {
  readonly textReader: Pick<TextReader, 'listCandidates' | 'draft'>
}

type ExtractInput = Omit<z.output<typeof extractBody>, 'agentId' | 'agent_id'>

/** Proposals and assertions that a source states. Nothing is applied. */
export async function extract(
  needs: ExtractNeeds,
  caller: Caller,
  { signal, ...input }: ExtractInput & { readonly signal: AbortSignal },
) {
  const { agentId } = caller
  if (input.write_proposals === true || input.write_assertions === true)
    needs.memory.assertWritable()
  const ref = parseFrom(input.from)
  const { evidence, text, fenced, mechanical } = await draftFrom(needs, agentId, ref)
  const byModel = await readByModel(needs, { agentId, text, input, signal })
  const read = [...byModel.drafts, ...mechanical]
  const requests = toRequests(read, ref)
  const proposals = requests.valid.slice(0, input.limit)
  const assertions = fenced.assertions.map(({ fields, block }) => toAssertion(fields, block, ref))
  const result = await save(needs, caller, { input, proposals, assertions })
  return {
    source: toSource(ref, evidence),
    proposals: proposals.map(toWireDraft),
    ...result,
    assertions,
    count: proposals.length,
    assertionCount: assertions.length,
    dryRun: input.write_proposals !== true && input.write_assertions !== true,
    extractionMode: toMode(byModel.drafts, mechanical),
    providerName: byModel.providerName,
    questions: fenced.questions,
    warnings: [
      ...fenced.warnings,
      ...result.warnings,
      ...(evidence.text.length > text.length
        ? [`The first ${maxSourceLength} of ${evidence.text.length} characters were read.`]
        : []),
      ...(requests.rejected > 0
        ? [`${requests.rejected} proposals were dropped because their fields are invalid.`]
        : []),
      ...(requests.valid.length > proposals.length
        ? [`${requests.valid.length - proposals.length} proposals are over the limit.`]
        : []),
      ...byModel.warnings,
    ],
  }
}

/** What a source of the agent states, by rules alone. Nothing is stored. */
export async function proposeFrom(
  needs: ExtractNeeds,
  agentId: string,
  ref: EvidenceRef,
): Promise<readonly OperationRequest[]> {
  const { mechanical } = await draftFrom(needs, agentId, ref)
  return toRequests(mechanical, ref).valid
}

async function draftFrom(needs: ExtractNeeds, agentId: string, ref: EvidenceRef) {
  const evidence = await readEvidence(needs, needs.db, { agentId, ...ref })
  if (!evidence) throw notFound('source not found')
  const text = evidence.text.slice(0, maxSourceLength)
  const known = await readKnown(needs, agentId, text)
  const { blocks, drafts } = await needs.textReader.draft({ text, known })
  const fenced = readFencedJson(blocks)
  const structured = ref.kind === 'memory' ? await readStructured(needs, agentId, ref.id) : []
  const mechanical = [...fenced.proposals.flatMap(toFencedDraft), ...structured, ...drafts]
  return { evidence, text, fenced, mechanical }
}

interface ModelInput {
  readonly agentId: string
  readonly text: string
  readonly input: ExtractInput
  readonly signal: AbortSignal
}

function readByModel(
  needs: ExtractNeeds,
  { agentId, input, signal, text }: ModelInput,
): Promise<ModelDrafts> {
  if (input.use_provider !== true)
    return Promise.resolve({ drafts: [], providerName: null, warnings: [] })
  const { provider_max_tokens: maxTokens, provider_timeout_ms: timeoutMs } = input
  return draftByModel(needs, { text, agentId, timeoutMs, maxTokens, signal })
}

function toMode(byModel: readonly Draft[], mechanical: readonly Draft[]) {
  if (byModel.length === 0) return 'mechanical' as const
  return mechanical.length === 0 ? ('provider' as const) : ('mixed' as const)
}

const fromForms = 'transcript:KEY, artifact:PATH, source:PATH or memory:ID'

function parseFrom(from: string): EvidenceRef {
  const [ref] = parseItem(from).refs
  if (!ref) throw invalidRequest(`from is invalid. Use ${fromForms}.`)
  return ref
}

async function readKnown(
  { textReader, knowledge, db }: ExtractNeeds,
  agentId: string,
  text: string,
): Promise<ReadonlySet<string>> {
  const candidates = await textReader.listCandidates(text)
  const names = [...new Set(candidates.map(toCanonicalName))].filter((name) => name !== '')
  const known = await knowledge.subjects.listByNames(db, agentId, names.slice(0, maxCandidates))
  return new Set(known.keys())
}

async function readStructured(
  { memory, db }: ExtractNeeds,
  agentId: string,
  id: string,
): Promise<Draft[]> {
  const row = await memory.findEvidence(db, agentId, id)
  return draftStructured(row?.evidence ?? null)
}

function toFencedDraft({ fields, block }: { fields: JsonObject; block: string }): Draft[] {
  const { operation, payload, confidence, rationale, quote } = fields
  if (typeof operation !== 'string' || typeof payload !== 'object' || payload === null) return []
  const own = typeof quote === 'string' && block.includes(quote) ? quote : undefined
  return [
    {
      operation,
      payload: payload as JsonObject,
      confidence: typeof confidence === 'number' ? confidence : fencedConfidence,
      rationale: typeof rationale === 'string' ? rationale : 'The source proposes it.',
      quote: own ?? (block.split('\n').find((line) => line.trim() !== '') ?? '').slice(0, 300),
    },
  ]
}

/** A draft whose fields are invalid is dropped: foreign text fails no request. */
function toRequests(drafts: readonly Draft[], ref: EvidenceRef) {
  const valid: OperationRequest[] = []
  for (const { quote, ...draft } of drafts) {
    const source = { source_kind: ref.kind, source_id: ref.id }
    try {
      valid.push(parseOperation({ ...draft, ...source, evidence: [{ ...source, quote }] }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return { valid, rejected: drafts.length - valid.length }
}

function toAssertion(fields: JsonObject, block: string, { kind, id }: EvidenceRef): JsonObject {
  const source = { source_kind: kind, source_id: id }
  return { ...fields, ...source, evidence: [{ ...source, quote: block.slice(0, 300) }] }
}

interface ExtractResults {
  readonly input: ExtractInput
  readonly proposals: readonly OperationRequest[]
  readonly assertions: readonly JsonObject[]
}

/** Both flags write in one transaction. */
async function save(needs: ExtractNeeds, caller: Caller, results: ExtractResults) {
  const { input } = results
  return transaction(needs.db, async (db) => {
    if (input.write_proposals === true) await needs.memory.projections.lock(db)
    const saved =
      input.write_proposals === true
        ? await saveProposals(needs, caller, results, db)
        : { items: [], warnings: [] }
    const asserted =
      input.write_assertions === true
        ? await saveAssertions(needs, caller, results, db)
        : { assertionItems: [], warnings: [] }
    return {
      ...saved,
      ...asserted,
      warnings: [...saved.warnings, ...asserted.warnings],
      writtenCount: saved.items.length,
      writtenAssertionCount: asserted.assertionItems.length,
    }
  })
}

/** Writes as many as the queue can hold, without those that are pending already. */
async function saveProposals(
  needs: ExtractNeeds,
  caller: Caller,
  { input, proposals }: ExtractResults,
  db: Db,
) {
  const { agentId } = caller
  const createdBy = actorOf(caller, input.created_by).name
  const fingerprints = proposals.map(toFingerprint)
  const pending = await listPendingFingerprints(db, agentId, fingerprints)
  const fresh = proposals.filter((_, index) => !pending.has(fingerprints[index] ?? ''))
  const free = Math.max(0, maxPending - (await countPending(db, agentId)))
  const requests = fresh.slice(0, free)
  const items =
    requests.length > 0 ? await createProposals(needs, { agentId, createdBy, requests }, db) : []
  const [duplicates, rest] = [proposals.length - fresh.length, fresh.length - requests.length]
  const warnings = [
    ...(duplicates > 0 ? [`${duplicates} proposals are pending already.`] : []),
    ...(rest > 0 ? [`${rest} proposals were not written: the queue is full.`] : []),
  ]
  return { items, warnings }
}

async function saveAssertions(
  needs: ExtractNeeds,
  caller: Caller,
  { assertions }: ExtractResults,
  db: Db,
) {
  const assertionItems = []
  for (const fields of assertions) {
    const body = assertionBody.safeParse(fields)
    const saved = body.success ? await tryAssert(needs, caller, body.data, db) : undefined
    if (saved) assertionItems.push(saved)
  }
  const dropped = assertions.length - assertionItems.length
  const reason = 'assertions were dropped because their subject or fields are invalid.'
  return { assertionItems, warnings: dropped > 0 ? [`${dropped} ${reason}`] : [] }
}

async function tryAssert(
  needs: ExtractNeeds,
  caller: Caller,
  body: z.output<typeof assertionBody>,
  db: Db,
) {
  try {
    return await createAssertion(needs, caller, body, db)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}

function toFingerprint({ operation, payload, source }: OperationRequest): string {
  return fingerprintOf({ ...source, operation, payload })
}

function toSource({ kind, id }: EvidenceRef, { project }: Evidence) {
  const sourcePath = kind === 'artifact' ? id : null
  return { kind, id, sourceKind: kind, sourceId: id, sourcePath, project, harness: null }
}
