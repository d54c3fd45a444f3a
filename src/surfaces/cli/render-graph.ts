import { colors, toLine } from './output.ts'
import { type Row, renderDetail, renderRows, toRows } from './render.ts'

export function renderTree({ entity, items }: Row): string {
  const { name, entityType } = Object(entity)
  const title = `${colors.bold(toLine(String(name)))} (${toLine(String(entityType))})`
  const aspects = toRows(items).flatMap(({ aspect, claimCount, groups }) => [
    `  ${colors.cyan(toLine(String(Object(aspect).name)))} ${colors.dim(countClaims(claimCount))}`,
    ...toRows(groups).flatMap(renderGroup),
  ])
  const next = `Nothing is known of it. Add a claim: reverie entities set "${toLine(String(name))}" ASPECT KEY VALUE`
  return [title, ...(aspects.length > 0 ? aspects : [next])].join('\n')
}

function renderGroup({ groupKey, claimCount, claims }: Row): string[] {
  const lines = toRows(claims).map(({ claimKey, preview, activeCount, supersededCount }) => {
    const counts = `${activeCount} active, ${supersededCount} superseded`
    return `      ${toLine(String(claimKey))}: ${toLine(String(preview ?? '–'))} ${colors.dim(`(${counts})`)}`
  })
  return [`    ${toLine(String(groupKey))} ${colors.dim(countClaims(claimCount))}`, ...lines]
}

function countClaims(count: unknown): string {
  return count === 1 ? '(1 claim)' : `(${count} claims)`
}

export function renderConflicts({ items }: Row): string {
  const groups = toRows(items).map(({ entity, aspect, groupKey, claimKey, values }) => {
    const path = [entity, aspect, groupKey, claimKey]
      .map((part) => toLine(String(part)))
      .join(' / ')
    const columns = { proposal: 'proposalId', value: 'value', confidence: 'confidence' }
    return `${colors.cyan(path)}\n${renderRows(toRows(values), columns)}`
  })
  if (groups.length === 0)
    return 'No pending values differ. List what waits for review: reverie ontology proposals --status pending'
  return [...groups, 'Apply one with: reverie ontology apply ID'].join('\n\n')
}

const hygieneLists = [
  ['suspiciousEntities', 'Suspicious entities', { name: 'name', reason: 'reason', id: 'id' }],
  [
    'duplicateEntities',
    'Duplicates',
    { name: 'canonicalName', ids: ({ ids }: Row) => [ids].flat().join(' ') },
  ],
  [
    'weakClaims',
    'Claims whose evidence is missing or superseded',
    { entity: 'entityName', claim: 'claimKey', reason: 'reason', id: 'id' },
  ],
  [
    'safeMentionCandidates',
    'Memories that name an entity without a link to it',
    { entity: 'entityName', memory: 'memoryId', text: 'snippet' },
  ],
] as const

export function renderHygiene(report: Row): string {
  const parts = hygieneLists.flatMap(([field, title, columns]) => {
    const rows = toRows(report[field])
    return rows.length > 0 ? [`${title}\n${renderRows(rows, columns)}`] : []
  })
  const missing = Object.entries(Object(report['attributeSummary'])).filter(([, count]) => count)
  if (missing.length > 0) parts.push(renderDetail(Object.fromEntries(missing)))
  return parts.join('\n\n') || 'The graph is clean.'
}
