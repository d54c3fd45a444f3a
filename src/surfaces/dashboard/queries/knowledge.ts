interface EntityRow {
  readonly entity: {
    readonly id: string
    readonly name: string
    readonly entityType: string
    readonly mentions: number
    readonly pinned: boolean
    readonly status: string
    readonly updatedAt: string
  }
  readonly aspectCount: number
  readonly attributeCount: number
  readonly dependencyCount: number
}

export interface EntityList {
  readonly items: readonly EntityRow[]
}

export interface Tree {
  readonly entity: EntityRow['entity']
  readonly items: readonly {
    readonly aspect: { readonly id: string; readonly name: string }
    readonly groups: readonly {
      readonly groupKey: string
      readonly claims: readonly {
        readonly claimKey: string
        readonly activeCount: number
        readonly supersededCount: number
        readonly preview: string | null
      }[]
    }[]
  }[]
}

/** The address of a claim. */
export interface Slot {
  readonly entity: string
  readonly aspect: string
  readonly group: string
  readonly claim: string
}

export interface ClaimEvidence {
  readonly items: readonly {
    readonly attribute: { readonly id: string; readonly content: string; readonly status: string }
    readonly evidence?: readonly Evidence[]
    readonly proposalEvidence?: readonly Evidence[]
  }[]
}

export interface Evidence {
  readonly sourceKind?: string | null
  readonly sourceId?: string | null
  readonly kind?: string
  readonly source_id?: string
  readonly quote?: string | null
}

export interface Dependencies {
  readonly items: readonly {
    readonly id: string
    readonly direction: string
    readonly dependencyType: string
    readonly sourceEntityName: string
    readonly targetEntityName: string
  }[]
}

export interface Aliases {
  readonly items: readonly {
    readonly id: string
    readonly alias?: string
    readonly name?: string
  }[]
}

export interface Constellation {
  readonly entities: readonly {
    readonly id: string
    readonly name: string
    readonly entityType: string
    readonly mentions: number
  }[]
  readonly dependencies: readonly {
    readonly sourceEntityId: string
    readonly targetEntityId: string
    readonly dependencyType: string
  }[]
}

export interface Proposal {
  readonly id: string
  readonly operation: string
  readonly status: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly confidence: number
  readonly rationale: string
  readonly evidence: readonly Evidence[]
  readonly createdBy: string | null
  readonly createdAt: string
}

export interface ProposalList {
  readonly items: readonly Proposal[]
}

export interface Contradictions {
  readonly items: readonly {
    readonly id: string
    readonly entityName: string
    readonly slot: string
    readonly content: string
    readonly otherContent: string
    readonly reason: string
  }[]
}

export interface ProposedConflicts {
  readonly items: readonly {
    readonly entity: string
    readonly aspect: string
    readonly groupKey: string
    readonly claimKey: string
    readonly values: readonly {
      readonly proposalId: string
      readonly value: string
      readonly confidence: number
    }[]
  }[]
}

/** An operation on the graph; `changes` are those of a dry run. */
export interface AppliedOperation {
  readonly id?: string
  readonly changes?: readonly { readonly table: string }[]
}

export interface SplitReply {
  readonly moved: Readonly<Record<'aspects' | 'attributes' | 'links' | 'aliases', number>>
}

export interface Hygiene {
  readonly suspiciousEntities: readonly {
    readonly id: string
    readonly name: string
    readonly reason: string
  }[]
  readonly duplicateEntities: readonly unknown[]
  readonly safeMentionCandidates: readonly {
    readonly memoryId: string
    readonly entityName: string
    readonly mentionText: string
    readonly snippet: string
  }[]
}

/** The source and the words of an evidence, in either of its forms. */
export function toCitation(evidence: Evidence) {
  return {
    kind: evidence.sourceKind ?? evidence.kind ?? '',
    id: evidence.sourceId ?? evidence.source_id ?? '',
    quote: evidence.quote ?? '',
  }
}
