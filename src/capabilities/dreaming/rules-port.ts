import type { Pass } from './pass.ts'
import type { Mention, MentionRequest } from './rules/choose-mentions.ts'
import type { QuoteReading, QuoteRequest } from './rules/read-quote.ts'
import type {
  CurrentClaim,
  EvidenceFragment,
  Fact,
  GraphNames,
  PlannedAttention,
  PlannedOperation,
  RefusedFingerprint,
  Statement,
} from './rules/statement.ts'

/** Runs the rules apart from the event loop. */
export interface RulesThread {
  readStatements(task: {
    readonly fragments: readonly EvidenceFragment[]
    readonly names: GraphNames
    readonly user: string
  }): Promise<{
    readonly statements: readonly Statement[]
    readonly skipped: Readonly<Record<string, number>>
  }>
  decideOperations(task: {
    readonly statements: readonly Statement[]
    readonly facts: readonly Fact[]
    readonly claims: readonly CurrentClaim[]
    readonly refusals: readonly RefusedFingerprint[]
  }): Promise<{
    readonly operations: readonly PlannedOperation[]
    readonly attention: readonly PlannedAttention[]
    readonly facts: readonly Fact[]
  }>
  findNearDuplicates(
    sources: readonly {
      readonly ref: string
      readonly text: string
      readonly project: string | null
    }[],
  ): Promise<Pass['nearDuplicates']>
  /** What the rules think of quotes that a model has chosen. */
  readQuotes(quotes: readonly QuoteRequest[]): Promise<readonly QuoteReading[]>
  /** Sentences about an entity, for its page. */
  chooseMentions(task: MentionRequest): Promise<readonly Mention[]>
  close(): Promise<void>
}
