import { aspectOperations } from './aspect-operations.ts'
import { claimOperations } from './claim-operations.ts'
import { entityOperations } from './entity-operations.ts'
import { linkOperations } from './link-operations.ts'
import type { Operation } from './operation.ts'

/** Every operation of proposals, and those that only routes apply. */
const catalogue: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    ...entityOperations,
    ...aspectOperations,
    ...claimOperations,
    ...linkOperations,
  } as Readonly<Record<string, Operation>>),
)

export const undoOperation = 'undo'

/** The operations that a proposal may have. */
export const proposableOperations = [...catalogue].flatMap(([name, { isAuditOnly = false }]) =>
  isAuditOnly ? [] : [name],
)

export const operationRule = `operation is invalid. Use one of: ${proposableOperations.join(', ')}.`

/** The operations that a stored row may have. */
export const storedOperations: readonly string[] = [...catalogue.keys(), undoOperation]

export function findOperation(name: string): Operation | undefined {
  return catalogue.get(name)
}
