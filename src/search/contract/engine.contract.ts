import { filteringCases } from './filtering.contract.ts'
import { indexingCases } from './indexing.contract.ts'
import { rankingCases } from './ranking.contract.ts'
import { relatedCases } from './related.contract.ts'

/** The conformance suite of all engines. */
export const engineContract = [
  ...indexingCases,
  ...filteringCases,
  ...rankingCases,
  ...relatedCases,
]
