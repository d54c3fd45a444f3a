import { expect } from 'vitest'
import { listMarks, listPlacesHolding } from './list-places-holding.ts'
import { formsOf } from './secret-forms.ts'
import type { Service } from './start-service.ts'

/** The end of a file of tests that use secrets: no form of a value is in a text, a file or a table. */
export async function expectNoLeak(
  service: Pick<Service, 'workspace'> & Partial<Pick<Service, 'output'>>,
  values: readonly string[],
  texts: readonly string[],
): Promise<void> {
  const forms = values.flatMap(formsOf)
  expect(forms.length).toBeGreaterThan(0)
  expect(listMarks([...texts, service.output?.() ?? ''].join('\n'), forms)).toEqual([])
  expect(await listPlacesHolding(service, forms)).toEqual([])
}
