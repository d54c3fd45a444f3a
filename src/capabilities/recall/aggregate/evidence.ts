import { quoteTurns } from '../../../kernel/redaction/neutralize.ts'
import { aggregateSource, type Candidate } from '../result.ts'

/** Characters of all evidence in one prompt. */
const maxEvidenceLength = 12_000
/** Characters of one memory, so that a long one leaves room for others. */
const maxItemLength = 2_000

/** One numbered text of a prompt. */
export interface Evidence {
  readonly candidate: Candidate
  readonly text: string
}

interface EvidenceOptions {
  /** A saved text follows its sources, and only memories can be followed. */
  readonly memoriesOnly: boolean
}

/** Each memory once, in the order of the searches, within the length of a prompt. */
export function selectEvidence(
  searches: readonly (readonly Candidate[])[],
  { memoriesOnly }: EvidenceOptions,
): readonly Evidence[] {
  const byId = new Map<string, Candidate>()
  for (const candidate of searches.flat().filter(isEvidence)) {
    if (memoriesOnly && !candidate.memory) continue
    const id = candidate.memory?.id ?? candidate.row.id
    if (!byId.has(id)) byId.set(id, candidate)
  }
  const evidence: Evidence[] = []
  let length = 0
  for (const candidate of byId.values()) {
    const text = toText(candidate, evidence.length + 1, maxItemLength)
    length += text.length
    if (length > maxEvidenceLength) break
    evidence.push({ candidate, text })
  }
  return evidence
}

/** Texts that were made of other rows repeat them. */
function isEvidence({ row, memory }: Candidate): boolean {
  return row.source !== 'constructed' && memory?.sourceType !== aggregateSource
}

/** Marks of the fence in the content are escaped, so that no content can end it. */
export function toText({ row, memory }: Candidate, number: number, maxLength: number): string {
  const content = (memory?.content ?? row.content).slice(0, maxLength)
  const about = [row.type, row.created_at.slice(0, 10), row.who].filter(Boolean).join(', ')
  const fence = 'svc-evidence'
  return `<${fence} n="${number}" about=${JSON.stringify(quoteTurns(about))}>\n${quoteTurns(content)}\n</${fence}>`
}

/** A text of the caller inside a prompt. */
export function fenceQuestion(query: string): string {
  return `<svc-question>\n${quoteTurns(query)}\n</svc-question>`
}
