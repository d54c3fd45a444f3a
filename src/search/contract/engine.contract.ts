import { filteringCases } from './filtering.contract.ts'
import { indexingCases } from './indexing.contract.ts'
import { rankingCases } from './ranking.contract.ts'

/** What every engine holds. */
export const engineContract = [...indexingCases, ...filteringCases, ...rankingCases]
