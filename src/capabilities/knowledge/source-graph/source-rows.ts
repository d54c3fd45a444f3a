import { hash } from 'node:crypto'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import type { Aspect } from '../aspect.ts'
import { type Claim, normalizeValue } from '../claim.ts'
import type { Entity } from '../entity.ts'
import type { Link } from '../link.ts'
import { toCanonicalName } from '../name.ts'

/** The parts of a source document that the graph stores. */
export interface SourceRows {
  readonly name: string
  /** As in artifacts: `source_notes_vault_markdown`. */
  readonly sourceKind: string
  readonly sourceRoot: string
  /** The group of its claims: `notes_vault`. */
  readonly group: string
  /** The folders or documents that contain it, the outermost first. */
  readonly parentPaths: readonly string[]
  readonly sections: readonly SourceSection[]
  /** Names by which links of the same source find the document, in lower case. */
  readonly names: readonly DocumentName[]
  /** Targets of its links to documents of the same source, in lower case. */
  readonly links: readonly string[]
  /** ISO time of the change. */
  readonly at: string
}

interface SourceSection {
  readonly heading: string
  readonly level: number
  readonly statements: readonly string[]
}

interface DocumentName {
  readonly name: string
  /** A path comes before a file name, and that before an alias. */
  readonly rank: 0 | 1 | 2
}

/** A document of a source, or another member of its graph. */
export interface DocumentKey {
  readonly agentId: string
  readonly sourceId: string
  readonly path: string
}

export type NodeType = 'source' | 'reference' | 'document'

const maxStatements = 12
const maxStatementLength = 2_000
const maxSections = 200
const maxNameLength = 200
const entityTypes = {
  source: 'source',
  reference: 'source_document_reference',
  document: 'source_document',
} as const

/** The same parts have the same id on every engine. */
function toId(...parts: readonly string[]): string {
  return `src_${hash('sha256', parts.join('\0')).slice(0, 32)}`
}

export function toNodeId(type: NodeType, { agentId, sourceId, path }: DocumentKey): string {
  return toId(agentId, toCanonical(type, { sourceId, path }))
}

function toCanonical(type: NodeType, { sourceId, path }: Omit<DocumentKey, 'agentId'>): string {
  return `source:${sourceId}:${type}:${type === 'source' ? '/' : path}`
}

export function toEntityRow(
  type: NodeType,
  key: DocumentKey,
  { name, sourceRoot, at }: Pick<SourceRows, 'name' | 'sourceRoot' | 'at'>,
): Entity {
  return {
    ...unchanged(key.agentId, at),
    id: toNodeId(type, key),
    name: sliceText(name, 0, maxNameLength),
    canonicalName: toCanonical(type, key),
    entityType: entityTypes[type],
    description: null,
    mentions: 0,
    pinned: 0,
    pinnedAt: null,
    status: 'active',
    sourceRoot,
  }
}

/** The sections as aspects with their claims. Sections of the same heading are one aspect. */
export function toAspectRows(key: DocumentKey, rows: SourceRows) {
  const entityId = toNodeId('document', key)
  const sections = new Map<string, { aspect: Aspect; statements: string[] }>()
  for (const { heading, level, statements } of rows.sections) {
    const name = sliceText(heading, 0, maxNameLength).trim() || 'Overview'
    const canonicalName = toCanonicalName(name) || 'overview'
    const known = sections.get(canonicalName)
    if (known) known.statements.push(...statements)
    else if (sections.size < maxSections) {
      const weight = level === 1 ? 0.9 : 0.7
      const aspect = toAspect({ key, entityId, name, canonicalName, weight, at: rows.at })
      sections.set(canonicalName, { aspect, statements: [...statements] })
    }
  }
  const all = [...sections.values()]
  return {
    aspects: all.map(({ aspect }) => aspect),
    claims: all.flatMap(({ aspect, statements }) =>
      statements
        .slice(0, maxStatements)
        .map((text, at) => toClaim({ key, rows, aspect, number: at + 1, text })),
    ),
  }
}

interface AspectInput extends Pick<Aspect, 'entityId' | 'name' | 'canonicalName' | 'weight'> {
  readonly key: DocumentKey
  readonly at: string
}

function toAspect({ key, at, ...fields }: AspectInput): Aspect {
  const id = toId(fields.entityId, 'aspect', fields.canonicalName)
  return { ...unchanged(key.agentId, at), ...fields, id, status: 'active' }
}

interface ClaimInput {
  readonly key: DocumentKey
  readonly rows: SourceRows
  readonly aspect: Aspect
  readonly number: number
  readonly text: string
}

function toClaim({ key, rows, aspect, number, text }: ClaimInput): Claim {
  const content = sliceText(text, 0, maxStatementLength)
  const id = toId(aspect.id, 'claim', String(number))
  return {
    ...unchanged(key.agentId, rows.at),
    ...originOf(key, rows),
    id,
    entityId: aspect.entityId,
    aspectId: aspect.id,
    memoryId: null,
    kind: 'claim',
    mode: 'add',
    content,
    normalizedContent: normalizeValue(content),
    groupKey: rows.group,
    claimKey: `${aspect.canonicalName.replaceAll(' ', '_')}_${number}`,
    confidence: 0.8,
    importance: 0.5,
    assertedAt: rows.at,
    visibility: 'private',
    pinned: 0,
    status: 'active',
    supersededBy: null,
    version: 1,
    versionRootId: id,
    previousAttributeId: null,
    reviewAfter: null,
  }
}

export function toLinkRow(
  key: DocumentKey,
  { from, to, type }: { readonly from: string; readonly to: string; readonly type: LinkType },
  rows: Pick<SourceRows, 'sourceKind' | 'sourceRoot' | 'at'>,
): Link {
  return {
    ...unchanged(key.agentId, rows.at),
    ...originOf(key, rows),
    id: toId(from, type, to),
    sourceEntityId: from,
    targetEntityId: to,
    aspectId: null,
    dependencyType: type,
    strength: 1,
    confidence: 1,
    reason: null,
    visibility: 'private',
    status: 'active',
  }
}

export type LinkType = 'contains' | 'links_to'

function originOf(
  { sourceId, path }: DocumentKey,
  { sourceKind, sourceRoot }: Pick<SourceRows, 'sourceKind' | 'sourceRoot'>,
) {
  return { sourceKind, sourceId, sourcePath: path, sourceRoot }
}

function unchanged(agentId: string, at: string) {
  return {
    agentId,
    archivedAt: null,
    archivedBy: null,
    archiveReason: null,
    proposalId: null,
    createdAt: at,
    updatedAt: at,
    withheldAt: null,
  }
}
