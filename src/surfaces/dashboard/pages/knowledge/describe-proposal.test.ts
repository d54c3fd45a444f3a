import { expect, test } from 'vitest'
import { describeProposal } from './describe-proposal.ts'

const proposal = (operation: string, payload: object) => ({
  id: 'p',
  operation,
  status: 'pending',
  payload: { ...payload },
  confidence: 0.7,
  rationale: '',
  evidence: [],
  createdBy: null,
  createdAt: '2026-03-01T09:00:00.000Z',
})

test.each([
  [
    'set_claim_value',
    { entity: 'Shed', aspect: 'care', claim_key: 'lock', value: 'brass' },
    { subject: 'Shed', path: ['care', 'lock'], after: 'brass' },
  ],
  [
    'rename_entity',
    { entity: 'Shed', new_name: 'Old Shed' },
    { subject: 'Shed', path: [], before: 'Shed', after: 'Old Shed' },
  ],
  [
    'merge_entities',
    { sources: ['Hut', 'Cabin'], target: 'Shed' },
    { subject: 'Shed', path: [], before: 'Hut, Cabin', after: 'Shed' },
  ],
  [
    'create_link',
    { source_entity: 'Shed', link_type: 'part_of', target_entity: 'Garden' },
    { subject: 'Shed', path: [], after: 'Shed part of Garden' },
  ],
  [
    'create_entity',
    { name: 'Shed', type: 'place' },
    { subject: 'Shed', path: [], after: 'Shed · place' },
  ],
  ['archive_link', { id: 'x' }, { subject: '', path: [], after: '{"id":"x"}' }],
])('describes a proposal of %s in words', (operation, payload, change) => {
  expect(describeProposal(proposal(operation, payload))).toEqual(change)
})
