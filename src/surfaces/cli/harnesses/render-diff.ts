import { createTwoFilesPatch } from 'diff'
import { type Change, isChange } from './change.ts'

/** A unified diff of all that would change; empty when nothing would. */
export function renderDiff(changes: readonly Change[]): string {
  return changes
    .filter(isChange)
    .map(({ path, before, after }) =>
      createTwoFilesPatch(
        before === null ? '/dev/null' : path,
        after === null ? '/dev/null' : path,
        before ?? '',
        after ?? '',
      ),
    )
    .join('')
}
