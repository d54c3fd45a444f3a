import type { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import { isEntityType, toEntityType } from '../entity.ts'
import { listNameCandidates } from '../focal/names-in-text.ts'
import { toPhrase } from '../name.ts'
import type { KnowledgeNeeds } from '../needs.ts'
import type { hygieneReply } from '../overlay/schemas.ts'
import { classifyName } from '../quality.ts'
import { findNamed } from '../store/focal.ts'
import { countIncomplete, listRarelyMentioned, listSamePhrases } from '../store/hygiene.ts'
import { listLinked } from '../store/mentions.ts'
import { listWeakClaims } from './weak-claims.ts'

interface HygieneRequest {
  readonly agentId: string
  readonly limit: number
  readonly memoryLimit: number
}

type Report = z.input<typeof hygieneReply>

/** Entities of one report. */
const maxScanned = 5_000
const maxCandidates = 200
const snippetRadius = 60

/** What a person may want to clean up. Writes nothing. */
export async function readHygiene(
  { db, memory }: Pick<KnowledgeNeeds, 'db' | 'memory'>,
  { agentId, limit, memoryLimit }: HygieneRequest,
): Promise<Report> {
  const entities = await listRarelyMentioned(db, agentId, maxScanned)
  const suspicious = entities.flatMap((entity) => {
    const reason = findReason(entity)
    return reason === undefined ? [] : [{ ...entity, reason }]
  })
  const same = Map.groupBy(await listSamePhrases(db, agentId, limit), ({ phrase }) => phrase)
  const memoryIds = await memory.selection.listNewestIds(db, { agentId, limit: memoryLimit })
  const memories = await memory.selection.listByIds(db, memoryIds)
  return {
    agentId,
    suspiciousEntities: suspicious.slice(0, limit),
    duplicateEntities: [...same].map(([canonicalName, rows]) => ({
      canonicalName,
      count: rows.length,
      ids: rows.map(({ id }) => id),
      names: rows.map(({ name }) => name),
    })),
    attributeSummary: await countIncomplete(db, agentId),
    weakClaims: await listWeakClaims({ db, memory }, agentId, limit),
    safeMentionCandidates: await listCandidates(db, agentId, memories),
  }
}

interface Examined {
  readonly name: string
  readonly entityType: string
  readonly mentions: number
}

function findReason({ name, entityType, mentions }: Examined): string | undefined {
  const { reason } = classifyName(name, entityType)
  if (isEntityType(toEntityType(name))) return 'generic_word'
  return reason ?? (mentions === 0 ? 'zero_mentions' : undefined)
}

interface Text {
  readonly id: string
  readonly content: string
  readonly memoryKind: string
}

type Candidates = Report['safeMentionCandidates']

/** Existing names in memories that are not linked to their entities. */
async function listCandidates(
  db: Db,
  agentId: string,
  memories: readonly Text[],
): Promise<Candidates> {
  const candidates: Candidates[number][] = []
  for (const memory of memories.filter(({ memoryKind }) => memoryKind !== 'derived'))
    if (candidates.length < maxCandidates)
      candidates.push(...(await listUnlinked(db, agentId, memory)))
  return candidates.slice(0, maxCandidates)
}

async function listUnlinked(db: Db, agentId: string, { id: memoryId, content }: Text) {
  const { phrases } = listNameCandidates(content)
  const candidates: Candidates[number][] = []
  for (const { id: entityId, name: entityName, phrase } of await findNamed(db, agentId, phrases)) {
    const linked = await listLinked(db, { entityIds: [entityId], memoryIds: [memoryId] })
    const mention = linked.length > 0 ? undefined : findMention(content, phrase)
    if (mention) candidates.push({ memoryId, entityId, entityName, ...mention })
  }
  return candidates
}

/** The words of the text whose normal form is the phrase. */
function findMention(content: string, phrase: string) {
  const pattern = phrase
    .split(' ')
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^\\p{L}\\p{N}\\p{M}]+')
  const match = new RegExp(pattern, 'iu').exec(content)
  if (!match || toPhrase(match[0]) !== phrase) return undefined
  const [mentionText] = match
  return { mentionText, snippet: cutSnippet(content, match.index, mentionText.length) }
}

/** The text around a mention, cut between words where there are spaces. */
function cutSnippet(content: string, index: number, length: number): string {
  const start = index - snippetRadius
  const end = index + length + snippetRadius
  const head =
    start <= 0 ? content.slice(0, index) : content.slice(start - 1, index).replace(/^\S*\s+/, '')
  const tail = content.slice(index + length, end + 1)
  const cutTail = end < content.length ? tail.replace(/\s+\S*$/, '') : tail
  return (head + content.slice(index, index + length) + cutTail).toWellFormed()
}
