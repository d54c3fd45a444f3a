/**
 * Fields that accept no text despite the document, identifiers, and the content of an immutable
 * memory.
 */
export const refusedFields = [
  'memory.forget-many since',
  'memory.forget-many until',
  'memory.update content',
  'memory.update type',
  'agents.create policy_group',
  'agents.update policy_group',
  'sessions.appear project',
  'inference.complete-login responseId',
  'inference.complete-login value',
  // Ids of the graph, and payloads without the fields of their operation.
  'ontology.apply-operation payload.{}',
  'ontology.apply-operations operations.[]',
  'ontology.apply-operations operations.[].{}',
  'ontology.archive-alias aliasId',
  'ontology.merge actor',
  'ontology.merge source_ids',
  'ontology.merge sources',
  'ontology.merge-plan source_ids',
  'ontology.merge-plan sources',
  'ontology.merge-plan target',
  'ontology.merge-plan target_id',
  'ontology.propose-many proposals.[]',
  'ontology.propose-many proposals.[].{}',
  'ontology.split alias_ids',
  'ontology.split aspect_ids',
  'ontology.split attribute_ids',
  'ontology.split entity_type',
  'ontology.split link_ids',
  'ontology.undo-batch actor',
  'ontology.undo-batch batch_id',
  'ontology.undo-batch reason',
]
