import { z } from 'zod'
import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import { applyDreamOperations, mintFlag } from '../apply-operations.ts'
import { maxOperations } from '../check/parse-operations.ts'
import { searchEvidence } from '../evidence/search.ts'
import { readRunbooks } from '../runbook.ts'
import { dreamOperationNames } from '../union.ts'
import { capability, type DreamCapability } from './capability.ts'

const text = (max: number) => z.string().min(1).max(max)
const subject = /^(?:entity|aspect|attribute|link|duplicate):\S/

const operation = z.discriminatedUnion(
  'operation',
  dreamOperationNames.map((name) =>
    z.looseObject({
      operation: z.literal(name),
      payload: z.record(z.string(), z.unknown()),
      evidence: z.array(z.unknown()).max(50).optional(),
      reason: z.string().max(2_000).optional(),
      provenance: z.string().max(200).optional(),
      confidence: z.number().min(0).max(1).optional(),
    }),
  ) as never,
)

/** Evidence, the notes of passes, and writes. */
export const evidenceTools: readonly DreamCapability[] = [
  capability({
    id: 'search_evidence',
    title: 'Search evidence',
    description: 'Find memories and ended sessions that contain words of a query.',
    readOnly: true,
    input: z.strictObject({ query: text(400), limit: z.int().min(1).max(50).default(20) }),
    run: ({ needs, agentId }, { query, limit }) =>
      searchEvidence(needs, needs.background, { agentId, query, limit }),
  }),
  capability({
    id: 'runbook_read',
    title: 'Read the notes of passes',
    description: 'List what earlier passes did and left open, the newest first.',
    readOnly: true,
    input: z.strictObject({ limit: z.int().min(1).max(20).default(5) }),
    run: async ({ needs, agentId }, { limit }) => ({
      items: await readRunbooks(needs, agentId, limit),
    }),
  }),
  capability({
    id: 'runbook_write',
    title: 'Write the note of a pass',
    description: 'Save what the pass did, for the next pass. The last note counts.',
    readOnly: false,
    input: z.strictObject({
      summary: text(2_000),
      openQuestions: z.array(text(500)).max(20).default([]),
      deferred: z.array(text(500)).max(20).default([]),
    }),
    run: async ({ pass }, runbook) => {
      if (!pass) throw invalidRequest('Runbook writes require a live Dreaming pass')
      await pass.writeRunbook(runbook)
      return { passId: pass.passId }
    },
  }),
  capability({
    id: 'record_hygiene_attention',
    title: 'Flag a row for attention',
    description: 'Add an entity, aspect, attribute, link or group of duplicates to the queue.',
    readOnly: false,
    input: z.strictObject({
      subjectRef: text(512).regex(
        subject,
        'must begin with entity:, aspect:, attribute:, link: or duplicate:',
      ),
      details: z.record(z.string().max(64), z.string().max(1_000)),
      priority: z.int().min(0).max(100),
    }),
    run: async ({ needs, agentId, pass }, payload) => {
      if (pass?.stage) return pass.stage([{ operation: 'flag', payload }])
      const id = await mintFlag(needs, needs.db, { agentId, operation: { payload } })
      return { id, subjectRef: payload.subjectRef, kind: 'hygiene' }
    },
  }),
  capability({
    id: 'apply_ontology_ops',
    title: 'Apply operations',
    description:
      'Change the graph. Each operation cites exact quotes of evidence; in a pass it is staged.',
    readOnly: false,
    input: z.strictObject({ operations: z.array(operation).min(1).max(maxOperations) }),
    run: async ({ needs, agentId, actor, pass }, { operations }) => {
      if (pass?.stage) return pass.stage(operations)
      return applyDreamOperations(needs, { agentId, actor, operations, mode: 'each' })
    },
  }),
]
