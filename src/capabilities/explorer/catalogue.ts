/** One table or view, in the same shape for both engines. */
export interface CatalogueTable {
  readonly name: string
  readonly kind: 'table' | 'view'
  /** A virtual table of an extension, or a table that one maintains. */
  readonly isVirtual: boolean
  /** The create statement; null if the engine has none. */
  readonly sql: string | null
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  readonly foreignKeys: readonly ForeignKey[]
}

export interface Column {
  readonly cid: number
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly defaultValue: string | null
  readonly primaryKey: boolean
}

export interface Index {
  readonly name: string
  readonly unique: boolean
  /** `c` created, `u` of a unique constraint, `pk` of the primary key. */
  readonly origin: string
  readonly partial: boolean
  readonly columns: readonly { seqno: number; cid: number | null; name: string | null }[]
}

export interface ForeignKey {
  readonly id: number
  readonly seq: number
  readonly table: string
  readonly from: string
  readonly to: string | null
  readonly onUpdate: string
  readonly onDelete: string
  readonly match: string
}

/** Tables that FTS5 maintains for its index. */
const shadowSuffix = /_(data|idx|docsize|config|content)$/

/** Leaves the shadow tables of text indexes out. */
export function withoutShadows(tables: readonly CatalogueTable[]): readonly CatalogueTable[] {
  const virtual = new Set(tables.filter(({ isVirtual }) => isVirtual).map(({ name }) => name))
  return tables.filter(
    ({ name }) => !(shadowSuffix.test(name) && virtual.has(name.replace(shadowSuffix, ''))),
  )
}

export const groups = ['core', 'provenance', 'runtime', 'internal', 'other'] as const
export type Group = (typeof groups)[number]

const members: Readonly<Record<string, Group>> = {
  ...toMembers('core', [
    'entities',
    'memories',
    'memory_entity_mentions',
    'relations',
    'entity_aspects',
    'entity_attributes',
    'entity_dependencies',
    'entity_dependency_history',
    'entity_communities',
    'ontology_proposals',
  ]),
  ...toMembers('provenance', [
    'documents',
    'document_memories',
    'memory_artifacts',
    'memory_artifact_chunks',
    'conversations',
    'session_transcripts',
    'session_summaries',
    'session_summary_memories',
  ]),
  ...toMembers('runtime', [
    'embeddings',
    'memory_hints',
    'session_memories',
    'session_scores',
    'session_checkpoints',
    'memories_cold',
    'schema_migrations',
    'schema_migrations_audit',
    'connectors',
    'connector_documents',
    'skill_meta',
    'skill_invocations',
    'daily_reflections',
  ]),
}

function toMembers(group: Group, names: readonly string[]): Record<string, Group> {
  return Object.fromEntries(names.map((name) => [name, group]))
}

/** Groups by exact name, then by a part of the name. */
const patterns: readonly (readonly [pattern: RegExp, group: Group])[] = [
  [/_fts|^fts_|^vec_/, 'internal'],
  [/^path_feedback_|job|telemetry|cache/, 'runtime'],
  [/session|document|artifact/, 'provenance'],
]

export function toGroup(name: string): Group {
  const exact = new Map(Object.entries(members)).get(name)
  return exact ?? patterns.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
}

const credentialName = /secret|credential|oauth|auth_|password|^(api_keys|browser_sessions)$/

/** Why rows of a table are not shown; undefined when they are. */
export function findBlockedReason({ name, isVirtual, columns }: CatalogueTable) {
  if (isVirtual) return 'It is a virtual table.'
  if (toGroup(name) === 'internal') return 'It is a table of an index.'
  const holds = [name, ...columns.map((column) => column.name)].some((each) =>
    credentialName.test(each),
  )
  return holds ? 'It holds credentials.' : undefined
}
