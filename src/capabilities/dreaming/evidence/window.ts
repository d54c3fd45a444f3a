import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { listExclusions } from '../store/attention.ts'
import { listPending, type StageChars } from '../store/evidence.ts'
import { type EvidenceEntry, toRef } from './evidence.ts'
import { cutFragments, findResume } from './fragments.ts'
import type { Scan } from './scan.ts'
import { type RenderedSource, readSources } from './source.ts'

/** What one stage of a pass reads. */
export interface Window {
  readonly sources: readonly WindowSource[]
  /** Entries whose sources are gone or not readable now. */
  readonly absent: readonly EvidenceEntry[]
}

export interface WindowSource {
  readonly entry: EvidenceEntry
  readonly rendered: RenderedSource
  readonly fragments: readonly { readonly text: string; readonly start: number }[]
  /** Offset up to which the stage reads; the length of the text when it reads to the end. */
  readonly end: number
}

export interface WindowRequest {
  readonly agentId: string
  readonly stage: StageChars
  readonly scan: Scan
  readonly maxChars: number
}

export const maxSources = 500
const maxExclusions = 10_000

/** The most urgent sources first, then the oldest. */
export async function collectWindow(
  needs: DreamingNeeds,
  db: Db,
  { agentId, stage, scan, maxChars }: WindowRequest,
): Promise<Window> {
  const excluded = await listExcluded(db, agentId)
  const stored = await listPending(db, agentId, { stage, limit: maxSources + excluded.size })
  const byRef = new Map([...stored, ...scan.entries].map((entry) => [toRef(entry), entry]))
  const pending = [...byRef.values()]
    .filter((entry) => entry[stage] < entry.chars && !excluded.has(toRef(entry)))
    .toSorted(compareEntries)
  const sources: WindowSource[] = []
  const absent: EvidenceEntry[] = []
  let left = maxChars
  for await (const { entry, rendered } of readInBatches(needs, db, { agentId, pending })) {
    if (sources.length >= maxSources || left <= 0) break
    if (!rendered) absent.push(entry)
    else {
      const source = toWindowSource({ entry, rendered, stage, maxChars: left })
      left -= source.fragments.reduce((sum, { text }) => sum + text.length, 0)
      sources.push(source)
    }
  }
  return { sources, absent }
}

const batchLength = 50

async function* readInBatches(
  needs: DreamingNeeds,
  db: Db,
  { agentId, pending }: { readonly agentId: string; readonly pending: readonly EvidenceEntry[] },
) {
  for (let at = 0; at < pending.length; at += batchLength) {
    const refs = pending.slice(at, at + batchLength)
    const read = await readSources(needs, db, { agentId, refs })
    for (const entry of refs) yield { entry, rendered: read.get(toRef(entry)) }
  }
}

/** Sources whose operations were refused. A requested requeue lets them in again. */
export async function listExcluded(db: Db, agentId: string): Promise<ReadonlySet<string>> {
  const rows = await listExclusions(db, agentId, maxExclusions)
  return new Set(
    rows
      .filter(({ requeueRequestedAt }) => requeueRequestedAt === null)
      .map(({ sourceKind, sourceId }) => `${sourceKind}:${sourceId}`),
  )
}

function compareEntries(one: EvidenceEntry, other: EvidenceEntry): number {
  if (one.priority !== other.priority) return other.priority - one.priority
  if (one.sourceTime !== other.sourceTime) return one.sourceTime < other.sourceTime ? -1 : 1
  return one.sourceId < other.sourceId ? -1 : 1
}

interface Reading {
  readonly entry: EvidenceEntry
  readonly rendered: RenderedSource
  readonly stage: StageChars
  readonly maxChars: number
}

function toWindowSource({ entry, rendered, stage, maxChars }: Reading): WindowSource {
  const { text } = rendered
  const from = entry[stage] === 0 ? 0 : findResume(text, entry[stage])
  const all = cutFragments(text, { from })
  const fragments: { text: string; start: number }[] = []
  let length = 0
  for (const fragment of all) {
    // The first fragment is read in any case, so that each pass gets on.
    if (fragments.length > 0 && length + fragment.text.length > maxChars) break
    fragments.push(fragment)
    length += fragment.text.length
  }
  const last = fragments.at(-1)
  const end = last ? last.start + last.text.length : text.length
  return { entry, rendered, fragments, end }
}

/** The entry after a stage has read a source of its window. */
export function toReadEntry(
  { entry, rendered, end }: WindowSource,
  { stage, passId, isUsed }: { stage: StageChars; passId: string; isUsed: boolean },
): EvidenceEntry {
  const isDone = end >= rendered.text.length
  const chars = isDone ? entry.chars : Math.min(end, entry.chars - 1)
  const disposition = isDone ? (isUsed ? 'read' : 'empty') : 'partial'
  // The window of the pass names the sources that it has read to the end.
  return { ...entry, [stage]: chars, disposition, passId: isDone ? null : passId }
}
