import { expect, test } from 'vitest'
import { toGroup } from './catalogue.ts'

test.each([
  ['memories', 'core'],
  ['session_transcripts', 'provenance'],
  ['memories_fts', 'internal'],
  ['jobs', 'runtime'],
  ['session_events', 'provenance'],
  ['constructor', 'other'],
])('%s is in the group %s', (name, group) => {
  expect(toGroup(name)).toBe(group)
})
