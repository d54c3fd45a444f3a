import { expect, test } from 'vitest'
import { isEntityType, toEntityType } from './entity.ts'
import { isDependencyType, isWeakType } from './link.ts'
import { classifyName } from './quality.ts'

test.each([
  ['abc', undefined, 'too_short'],
  ['東', undefined, 'too_short'],
  ['20260101', undefined, 'numeric_only'],
  ['because', undefined, 'generic_or_scaffolding_name'],
  ['"Summary"', undefined, 'generic_or_scaffolding_name'],
  ['Current  Work', undefined, 'generic_or_scaffolding_name'],
  ['assistant', undefined, 'metadata_role'],
  ['system', undefined, 'metadata_role'],
  ['user: Ada', undefined, 'role_prefixed_scaffolding'],
  ['author-note', undefined, 'role_prefixed_scaffolding'],
  ['despite', undefined, 'discourse_fragment'],
  ['Pending review', undefined, 'section_heading'],
  ['Atlas', 'concept', 'non_concrete_entity_type'],
  ['Atlas', 'Object Type', 'non_concrete_entity_type'],
  ['Atlas', 'planet', 'unknown_entity_type'],
  ['Atlas', 'event', 'event_without_time_or_event_signal'],
])('%j of type %j is refused: %s', (name, type, reason) => {
  expect(classifyName(name, type)).toEqual({ ok: false, reason })
})

test.each([
  ['Atlas', undefined],
  ['Atlas', 'unknown'],
  ['Atlas', 'extracted'],
  ['Atlas', 'project'],
  ['東京', 'place'],
  ['Atlas launched', 'event'],
  ['Review of 2026-01-02', 'event'],
  ['Announcement of Atlas', 'event'],
  ['currently', undefined],
])('%j of type %j is accepted', (name, type) => {
  expect(classifyName(name, type)).toEqual({ ok: true })
})

test('the vocabularies are those of the contract', () => {
  expect(toEntityType(' Object-Type ')).toBe('object_type')
  expect(['person', 'object_type', 'organization', 'place'].every(isEntityType)).toBe(true)
  expect(['source_chunk', 'planet', ''].some(isEntityType)).toBe(false)
  expect(['uses', 'requires_approval_from', 'related_to'].every(isDependencyType)).toBe(true)
  expect(isDependencyType('likes')).toBe(false)
  expect([isWeakType('related_to'), isWeakType('uses')]).toEqual([true, false])
})
