import type { Db } from '../../../kernel/db/database.ts'
import { type SourceKind, sourceKinds, toRef } from '../evidence/evidence.ts'
import { readSource } from '../evidence/source.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass } from '../pass.ts'
import { insertToolCall } from '../store/operations.ts'

interface ToolCall {
  readonly sequence: number
  readonly tool: string
  readonly input: unknown
  readonly output: object
  readonly success: boolean
  readonly latencyMs: number
}

/** The place of words of evidence: traces hold places, never the words. */
interface EvidencePlace {
  readonly evidence: string
  readonly offset: number
  readonly length: number
}

/** Characters of the stored JSON of one input or output. */
const maxJsonLength = 128_000

/** Saves a call of a tool without the words of the evidence. */
export async function saveToolCall(
  needs: DreamingNeeds,
  { id: passId, agentId }: Pick<Pass, 'id' | 'agentId'>,
  { sequence, tool, input, output, success, latencyMs }: ToolCall,
): Promise<void> {
  const texts = createTexts(needs, needs.background, agentId)
  await insertToolCall(needs.db, {
    passId,
    sequence,
    agentId,
    toolCallId: `${passId}:${sequence}`,
    toolName: tool.slice(0, 100),
    input: toJson(await replaceTexts(input, texts)),
    output: toJson(await replaceTexts(output, texts)),
    success: success ? 1 : 0,
    latencyMs: Math.round(latencyMs),
    createdAt: needs.host.now().toISOString(),
  })
}

function toJson(value: unknown): string {
  const json = JSON.stringify(value ?? null).replaceAll('\\u0000', '')
  if (json.length <= maxJsonLength) return json
  return JSON.stringify({ truncated: true, originalChars: json.length })
}

type ReadText = (ref: string) => Promise<string | undefined>

function createTexts(needs: DreamingNeeds, db: Db, agentId: string): ReadText {
  const texts = new Map<string, Promise<string | undefined>>()
  return (ref) => {
    const found = texts.get(ref) ?? readText(needs, db, { agentId, ref })
    texts.set(ref, found)
    return found
  }
}

async function readText(
  needs: DreamingNeeds,
  db: Db,
  { agentId, ref }: { readonly agentId: string; readonly ref: string },
): Promise<string | undefined> {
  const colon = ref.indexOf(':')
  const sourceKind = ref.slice(0, colon) as SourceKind
  if (!sourceKinds.includes(sourceKind)) return undefined
  const source = await readSource(needs, db, {
    agentId,
    sourceKind,
    sourceId: ref.slice(colon + 1),
  })
  return source?.text
}

async function replaceTexts(value: unknown, texts: ReadText): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => replaceTexts(item, texts)))
  if (typeof value !== 'object' || value === null) return value
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const ref = refOf(fields)
  const entries = Object.entries(fields).map(async ([name, field]) => {
    const isText =
      ref !== undefined && typeof field === 'string' && /^(?:quote|content)$/.test(name)
    return [name, isText ? await toPlace(ref, field, texts) : await replaceTexts(field, texts)]
  })
  return Object.fromEntries(await Promise.all(entries))
}

function refOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { sourceRef, source_ref: sourceRefToo } = fields
  const kind = fields['sourceKind'] ?? fields['source_kind']
  const id = fields['sourceId'] ?? fields['source_id']
  if (typeof kind === 'string' && typeof id === 'string')
    return toRef({ sourceKind: kind as SourceKind, sourceId: id })
  const ref = sourceRef ?? sourceRefToo
  return typeof ref === 'string' ? ref : undefined
}

async function toPlace(
  ref: string,
  words: string,
  texts: ReadText,
): Promise<EvidencePlace | string> {
  const offset = (await texts(ref))?.indexOf(words) ?? -1
  return offset < 0 ? words : { evidence: ref, offset, length: words.length }
}

/** Puts the words back where their source is live. */
export async function restoreTexts(
  needs: DreamingNeeds,
  agentId: string,
  value: unknown,
): Promise<unknown> {
  const texts = createTexts(needs, needs.db, agentId)
  const restore = async (node: unknown): Promise<unknown> => {
    if (Array.isArray(node)) return Promise.all(node.map(restore))
    if (typeof node !== 'object' || node === null) return node
    if (isPlace(node)) {
      const text = await texts(node.evidence)
      return text?.slice(node.offset, node.offset + node.length) ?? null
    }
    const entries = Object.entries(node).map(async ([name, field]) => [name, await restore(field)])
    return Object.fromEntries(await Promise.all(entries))
  }
  return restore(value)
}

function isPlace(node: object): node is EvidencePlace {
  const { evidence, offset, length }: Readonly<Record<string, unknown>> = { ...node }
  return typeof evidence === 'string' && Number.isInteger(offset) && Number.isInteger(length)
}
