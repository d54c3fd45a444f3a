/** A directed relation of two entities, in its stored format. */
export interface Link {
  readonly id: string
  readonly agentId: string
  readonly sourceEntityId: string
  readonly targetEntityId: string
  readonly aspectId: string | null
  readonly dependencyType: string
  readonly strength: number
  readonly confidence: number
  readonly reason: string | null
  readonly visibility: 'global' | 'private'
  readonly status: 'active' | 'archived'
  readonly archivedAt: string | null
  readonly archivedBy: string | null
  readonly archiveReason: string | null
  readonly sourceKind: string | null
  readonly sourceId: string | null
  readonly sourcePath: string | null
  readonly sourceRoot: string | null
  readonly proposalId: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly withheldAt: string | null
}

export const defaultStrength = 0.5

const dependencyTypes: ReadonlySet<string> = new Set(
  `uses requires owned_by owns blocks informs maintains implements built depends_on related_to
  learned_from teaches knows assumes supports_claim authored_by links_to contains contains_note
  contradicts supersedes part_of produced_artifact precedes follows triggers may_execute
  requires_approval_from impacts produces consumes`.split(/\s+/),
)
const weakTypes: ReadonlySet<string> = new Set(['related_to', 'contradicts', 'supersedes'])

export function listDependencyTypes(): readonly string[] {
  return [...dependencyTypes]
}

export function isDependencyType(type: string): boolean {
  return dependencyTypes.has(type)
}

/** A type that requires a reason. */
export function isWeakType(type: string): boolean {
  return weakTypes.has(type)
}

/** Stems by which a question asks for what a link of the type leads to, besides those of its name. */
const furtherStems: Readonly<Record<string, string>> = {
  uses: 'using utiliz',
  requires: 'need depend rely',
  owned_by: 'belong',
  owns: 'belong',
  informs: 'notif',
  maintains: 'maintain',
  implements: 'implement',
  built: 'build made',
  depends_on: 'require need rely use dependency upstream',
  authored_by: 'author write wrote',
  contains: 'include part',
  part_of: 'belong include contain',
  produced_artifact: 'make made',
  precedes: 'before',
  follows: 'after',
  produces: 'make made',
  teaches: 'taught teach',
  learned_from: 'learn taught',
  knows: 'know',
}
const excludedTypes: ReadonlySet<string> = new Set([
  ...weakTypes,
  'links_to',
  'contains_note',
  'assumes',
  'supports_claim',
])

/** Link types by the stems of the words that name them. */
export function listLinkStems(
  toStem: (word: string) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const types = [...dependencyTypes].filter((type) => !excludedTypes.has(type))
  return new Map(
    types.map((type) => {
      const own = type.split('_').filter((word) => word.length > 2)
      const words = [...own.map(toStem), ...(furtherStems[type]?.split(' ') ?? [])]
      return [type, new Set(words)] as const
    }),
  )
}
