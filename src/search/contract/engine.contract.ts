import { narrowing } from './filtering.contract.ts'
import { changes } from './indexing.contract.ts'
import { finding } from './ranking.contract.ts'

/** What every engine holds. */
export const engineContract = [...changes, ...narrowing, ...finding]
