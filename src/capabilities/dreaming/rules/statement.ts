import type { Family } from '../fact.ts'

/** A piece of one source, as the checker renders it. */
export interface EvidenceFragment extends SourceRef {
  readonly text: string
  /** Offset of `text` in the rendered source. */
  readonly start: number
  /** `who` of a memory. Transcripts name their speakers in their lines. */
  readonly speaker: string | null
  readonly project: string | null
  readonly session: string | null
  readonly assertedAt: string
  readonly trust: 'own' | 'external'
  /** Offset in the source at which a structured payload begins. */
  readonly structuredStart?: number | undefined
}

export interface SourceRef {
  readonly sourceKind: 'memory' | 'transcript' | 'artifact' | 'summary'
  readonly sourceId: string
}

/** The names that a text may mean. */
export interface GraphNames {
  /** Active entities of the graph. */
  readonly entities: readonly NamedEntity[]
  /** Other people who have said something, whether in this window or before. */
  readonly speakers?: readonly string[]
  /** Other projects that memories name. */
  readonly projects?: readonly string[]
}

export interface NamedEntity {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly aliases: readonly string[]
}

export interface Subject {
  /** Undefined where no entity has this name. */
  readonly entityId?: string | undefined
  readonly name: string
  readonly type: 'person' | 'project'
  /** A description such as `billing service`, of which only technical properties are read. */
  readonly isCommon?: boolean | undefined
}

export interface Slot {
  readonly aspect: string
  readonly key: string
  readonly cardinality: 'one' | 'many'
}

/**
 * `set`, `add`: the slot has this value. `end`: the value no longer holds. `from-to`: `value` takes
 * the place of `from`, in the slot that holds `from` where `slot` is undefined.
 */
export type Change = 'set' | 'add' | 'end' | 'from-to'

/** A sentence about a change. The ledger knows its slot. */
export interface Report {
  /** `job`: it ends a job and nothing else; `plain`: no word says that something changes. */
  readonly kind: 'change' | 'end' | 'job' | 'plain'
  /** Names, numbers and dates, in their order. */
  readonly values: readonly ReportedValue[]
  /** Keys of the slots that the sentence speaks of. */
  readonly slots: readonly string[]
  /** Words behind `from`, `not` and the like, and behind `back to`. */
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  /** Where names end that only describe another noun: `the Trello cleanup`. */
  readonly modifiers: readonly number[]
  /** Where names end of which it speaks for a part only: `Trello on my phone`. */
  readonly limited: readonly number[]
  /** Where the quote names a slot. */
  readonly spots: readonly { readonly key: string; readonly start: number; readonly end: number }[]
  /** Where the quote says that something ends. */
  readonly ends: readonly { readonly start: number; readonly end: number }[]
  /** Words behind `moved to` and the like. */
  readonly moves: readonly string[]
  /** Words in lower case that no table has. */
  readonly otherWords: number
  /** It speaks of the past, or of the speaker. */
  readonly isAside: boolean
  /** It names neither the speaker nor anybody else. */
  readonly isImpersonal: boolean
  /** The sentence before belongs to it. */
  readonly isWide: boolean
  /** The same together with the sentence before. */
  readonly wider: Statement | undefined
  /** What frames read in the sentence: it holds where the ledger makes nothing of the report. */
  readonly statements: readonly Statement[]
}

export interface ReportedValue {
  readonly text: string
  readonly type: 'person' | 'name' | 'number' | 'version' | 'date'
  /** It stands behind `from`, `not` and the like. */
  readonly isBefore: boolean
  /** One word at the beginning, which may have its capital from there. */
  readonly isOpening: boolean
}

/** What a sentence states. All offsets count from the beginning of the rendered source. */
export interface Statement extends SourceRef {
  readonly subject: Subject
  readonly slot: Slot | undefined
  /** Slot of a change whose old value no slot holds. */
  readonly fallback?: Slot | undefined
  readonly change: Change
  /** Empty in a report. */
  readonly value: string
  readonly from: string | undefined
  readonly report?: Report | undefined
  /** The subject speaks of itself. */
  readonly ownWord: boolean
  /** The sentence says that the value is new. */
  readonly changeWord: boolean
  readonly quote: string
  readonly start: number
  readonly length: number
  readonly session: string | null
  readonly assertedAt: string
  readonly trust: 'own' | 'external'
  /** `<language>.<frame>` */
  readonly rule: string
  readonly confidence: number
}

/** One source of a value, as the ledger stores it: no words. */
export interface Fact extends SourceRef {
  readonly fingerprint: string
  readonly family: Family
  readonly subject: string
  /** `<aspect>/<key>`; empty while no slot holds the value that a change replaces. */
  readonly slot: string
  /** Hash of the normalized value. */
  readonly value: string
  readonly start: number
  readonly length: number
  readonly session: string | null
  readonly assertedAt: string
  readonly ownWord: boolean
}

/** A value of the slots of the named subjects, in any status. */
export interface CurrentClaim {
  readonly attributeId: string
  readonly entityId: string
  readonly entityName: string
  readonly aspect: string
  readonly groupKey: string
  readonly claimKey: string
  readonly value: string
  readonly status: 'active' | 'superseded' | 'deleted'
  readonly assertedAt: string
  /** A person has fixed it, so that rules do not touch it. */
  readonly pinned: boolean
  readonly citations: readonly (SourceRef & {
    readonly quote: string
    readonly trust: 'own' | 'external'
  })[]
}

/** What a person has rejected or undone; only newer statements bring it back. */
export interface RefusedFingerprint {
  readonly fingerprint: string
  readonly untilAfter: string
}

export interface EvidenceQuote extends SourceRef {
  readonly quote: string
  readonly start: number
  readonly length: number
}

export interface PlannedOperation {
  readonly operation:
    | 'set_claim_value'
    | 'add_claim_value'
    | 'supersede_claim_value'
    | 'create_entity_alias'
  /** Fields of the ontology operation of this name. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly evidence: readonly EvidenceQuote[]
  readonly reason: string
  readonly confidence: number
  readonly rule: string
  readonly fingerprint: string
  /** Becomes a pending proposal: external evidence against the agent's own. */
  readonly reviewRequired: boolean
}

/** A value that another person contradicts. */
export interface PlannedAttention {
  readonly kind: 'contested_claim'
  readonly subjectRef: string
  readonly details: {
    readonly subject: string
    readonly slot: string
    readonly current: string
    readonly stated: string
    readonly evidence: readonly EvidenceQuote[]
  }
  readonly priority: number
}
