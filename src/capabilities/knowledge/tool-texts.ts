import type { z } from 'zod'
import { fenceExternal, fenceNotice } from '../../kernel/redaction/fence.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { isSourceId } from './entity.ts'
import type * as reply from './navigation/replies.ts'
import type { hygieneReply } from './overlay/schemas.ts'

/** Renders replies for models, a line an item. The caller neutralizes the texts. */

type Of<Schema extends z.ZodType> = z.output<Schema>

/** Characters of a stored text. */
const maxTextCharacters = 300

/** Stored text cannot begin a line of its own. */
function toLine(stored: string): string {
  const line = stored.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxTextCharacters ? `${sliceText(line, 0, maxTextCharacters)}…` : line
}

function list(lines: readonly string[], ifEmpty: string): string {
  return lines.length === 0 ? ifEmpty : lines.join('\n')
}

type EntityItem = Of<typeof reply.entitiesReply>['items'][number]

function toCounts(item: Omit<EntityItem, 'entity'>): string {
  const { aspectCount, attributeCount, constraintCount, dependencyCount } = item
  return `${aspectCount} aspects, ${attributeCount} claims, ${constraintCount} constraints, ${dependencyCount} links`
}

export function entities({ items }: Of<typeof reply.entitiesReply>): string {
  const lines = items.map(({ entity, ...counts }) => {
    const { id, name, entityType, pinned } = entity
    const pin = pinned ? ', pinned' : ''
    return `- ${toLine(name)} (${toLine(entityType)}${pin}; ${toCounts(counts)}; id ${id})`
  })
  return list(lines, 'No entity matches.')
}

export function entity({ entity, ...counts }: Of<typeof reply.entityReply>): string {
  const { id, name, entityType, description, mentions, pinned } = entity
  return [
    `${toLine(name)} (${toLine(entityType)}${pinned ? ', pinned' : ''})`,
    ...(description === undefined ? [] : [toLine(description)]),
    `${toCounts(counts)}, ${mentions} mentions`,
    `id ${id}`,
  ].join('\n')
}

type Aspect = Of<typeof reply.treeReply>['items'][number]
type Group = NonNullable<Aspect['groups']>[number]

export function tree({ entity, items }: Of<typeof reply.treeReply>): string {
  const lines = items.flatMap(({ aspect, groupCount, claimCount, groups = [] }) => [
    `- ${toLine(aspect.name)} (${groupCount} groups, ${claimCount} claims)`,
    ...groups.flatMap(toGroupLines),
  ])
  const outline = [`${toLine(entity.name)} (${toLine(entity.entityType)})`, ...lines].join('\n')
  return isSourceId(entity.id) ? fenceSource(outline, entity.canonicalName) : outline
}

function fenceSource(text: string, path: string): string {
  return `${fenceNotice}\n${fenceExternal(text, { source: 'graph', path })}`
}

function toGroupLines({ groupKey, claimCount, claims = [] }: Group): string[] {
  const lines = claims.map(({ claimKey, preview, activeCount, supersededCount }) => {
    const value = preview === null ? '' : `: ${toLine(preview)}`
    const counts = `${activeCount} active, ${supersededCount} superseded`
    return `    - ${toLine(claimKey)}${value} (${counts})`
  })
  return [`  - ${toLine(groupKey)} (${claimCount} claims)`, ...lines]
}

type Value = Of<typeof reply.attributesReply>['items'][number]
type Evidence = Value['proposalEvidence'][number]

function toValueLine(value: Value): string {
  const { id, content, kind, status, version, assertedAt, confidence } = value
  const terms = `${kind}, ${status}, version ${version}, ${assertedAt.slice(0, 10)}`
  const line = `- ${toLine(content)}\n  (${terms}, confidence ${confidence}, id ${id})`
  return isSourceId(value.id) ? fenceSource(line, value.sourcePath ?? '') : line
}

export function claims({ items }: Of<typeof reply.attributesReply>): string {
  return list(items.map(toValueLine), 'No value has this status.')
}

function toEvidenceLine({ sourceKind, sourceId, quote, sourceTime }: Evidence): string {
  const origin = `${toLine(sourceKind)} ${toLine(sourceId)}, ${sourceTime.slice(0, 10)}`
  return quote === '' ? `  - ${origin}` : `  - "${toLine(quote)}" (${origin})`
}

export function evidence(
  evidence: Of<typeof reply.claimEvidenceReply> | Of<typeof reply.linkEvidenceReply>,
): string {
  if ('dependency' in evidence) {
    const { dependencyType, sourceEntityId, targetEntityId } = evidence.dependency
    const link = `- ${sourceEntityId} ${toLine(dependencyType)} ${targetEntityId}`
    return [link, ...evidence.items.map(toEvidenceLine)].join('\n')
  }
  const lines = evidence.items.flatMap(({ attribute, evidence: sources }) => [
    toValueLine(attribute),
    ...sources.map(toEvidenceLine),
  ])
  return list(lines, 'No current value. knowledge_claims lists earlier ones.')
}

export function hygiene(report: Of<typeof hygieneReply>): string {
  const { suspiciousEntities, duplicateEntities, attributeSummary, safeMentionCandidates } = report
  const { missingGroupKey, missingClaimKey, missingSourceMemory } = attributeSummary
  return [
    `Suspicious entities: ${suspiciousEntities.length}`,
    ...suspiciousEntities.map(({ id, name, reason }) => `- ${toLine(name)} (${reason}; id ${id})`),
    `Duplicate names: ${duplicateEntities.length}`,
    ...duplicateEntities.map(
      ({ names, ids }) => `- ${toLine(names.join(', '))} (${ids.join(', ')})`,
    ),
    `Claims without a group: ${missingGroupKey}, a key: ${missingClaimKey}, a source memory: ${missingSourceMemory}`,
    `Claims whose evidence is missing or superseded: ${report.weakClaims.length}`,
    ...report.weakClaims.map(
      ({ id, entityName, claimKey, reason }) =>
        `- ${toLine(entityName)} / ${toLine(claimKey)} (${reason}; id ${id})`,
    ),
    `Memories that name an entity without a link: ${safeMentionCandidates.length}`,
    ...safeMentionCandidates.map(
      ({ memoryId, entityName, snippet }) =>
        `- ${toLine(entityName)}: ${toLine(snippet)} (memory ${memoryId})`,
    ),
  ].join('\n')
}
