import { chooseMentions as choose, type MentionRequest } from '../rules/choose-mentions.ts'
import { type DecideRequest, decideOperations as decide } from '../rules/decide.ts'
import { type DuplicateSource, findDuplicates } from '../rules/duplicates.ts'
import { type QuoteRequest, readQuote } from '../rules/read-quote.ts'
import { type ReadRequest, readStatements as read } from '../rules/read-statements.ts'

/** Reads a window of evidence. */
export function readStatements(request: ReadRequest) {
  return read(request)
}

/** Plans operations from statements. */
export function decideOperations(request: DecideRequest) {
  return decide(request)
}

/** Pairs of sources that say the same in nearly the same words. */
export function findNearDuplicates({ sources }: { readonly sources: readonly DuplicateSource[] }) {
  return findDuplicates(sources)
}

/** Reads the sentences of quotes that a model has chosen. */
export function readQuotes({ quotes }: { readonly quotes: readonly QuoteRequest[] }) {
  return quotes.map(readQuote)
}

/** Sentences about an entity. */
export function chooseMentions(request: MentionRequest) {
  return choose(request)
}
