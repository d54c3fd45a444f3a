import { changes } from './contract/changes.ts'
import { finding } from './contract/finding.ts'
import { narrowing } from './contract/narrowing.ts'

/** What every engine holds. */
export const engineContract = [...changes, ...narrowing, ...finding]
