export const sourceKinds = ['memory', 'transcript', 'artifact', 'summary'] as const
export type SourceKind = (typeof sourceKinds)[number]

export interface SourceRef {
  readonly sourceKind: SourceKind
  readonly sourceId: string
}

/** A source that a pass has to read, and how far each stage has read it. */
export interface EvidenceEntry extends SourceRef {
  readonly contentHash: string
  readonly sourceTime: string
  readonly chars: number
  readonly rulesChars: number
  readonly modelChars: number
  /** Pinned and requeued sources come first. */
  readonly priority: number
  readonly disposition: 'new' | 'read' | 'partial' | 'empty' | 'deferred'
  readonly passId: string | null
}

export function toRef({ sourceKind, sourceId }: SourceRef): string {
  return `${sourceKind}:${sourceId}`
}

/** Contract: the estimate of tokens from characters. */
export function toTokens(chars: number): number {
  return Math.ceil(chars / 4)
}
