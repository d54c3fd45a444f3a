import { expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { describePlans } from '../../kernel/testing/describe-plans.ts'
import { isLong, scansOf } from '../../kernel/testing/plan-of.ts'
import { ontologyMigrations } from './migrations.ts'
import { listAssertions, listOfSession } from './store/assertions.ts'
import { deleteChanges, deleteChangesBefore, listChanges } from './store/changes.ts'
import { listContradictions, listContradictionsOf } from './store/contradictions.ts'
import { listLostEvidence } from './store/evidence.ts'
import { listOperationsOf, markLost, syncWithheld } from './store/forgetting.ts'
import {
  claimPending,
  countByStatus,
  countPending,
  findProposal,
  listOfBatch,
  listPendingFingerprints,
  listProposals,
} from './store/proposals.ts'

const count = isLong ? 100_000 : 5_000
const numbers = `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`
const agent = `'agent' || (i % 2)`
const time = `'2026-01-01T00:' || (10 + i % 50) || ':00.000Z'`
const status = `case i % 4 when 0 then 'pending' when 1 then 'rejected' else 'applied' end`
const generated = [
  `insert into ontology_proposals (id, agent_id, operation, status, payload, confidence, rationale,
     evidence, created_at, updated_at, batch_id, image_count, fingerprint) ${numbers}
   select 'p' || i, ${agent}, 'operation' || (i % 19), ${status}, '{}', 0.5, '', '[]', ${time},
     ${time}, 'b' || (i / 10), 0, 'f' || i from n`,
  `insert into ontology_evidence (subject_id, source_kind, source_id, agent_id)
   select id, 'memory', 'm' || id, agent_id from ontology_proposals`,
  `insert into ontology_changes (proposal_id, position, agent_id, table_name, row_id,
     created_at)
   select id, 0, agent_id, 'entities', 'e' || id, created_at from ontology_proposals`,
  `insert into ontology_contradictions (id, agent_id, attribute_id, other_id, reason, overlap, status,
     created_at) ${numbers}
   select 'x' || i, ${agent}, 'c' || i, 'o' || i, 'negation', 1, 'open', ${time} from n`,
  `insert into epistemic_assertions (id, agent_id, observer_id, subject_entity_id, predicate, content,
     normalized_content, asserted_at, confidence, evidence, session_key, visibility, status,
     created_at, updated_at) ${numbers}
   select 's' || i, ${agent}, 'o', 'e' || (i % 500), 'claims', 'words', 'words', ${time}, 0.5, '[]',
     'k' || (i % 500), 'global', 'active', ${time}, ${time} from n`,
]

const ada = 'agent0'
const page = { limit: 20, offset: 0 }
const change = { agentId: ada, kind: 'memory' as const, ids: ['mp2', 'mp4'] }

/** Lists, which an index also orders. */
const ordered: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'the newest proposals': (db) => listProposals(db, ada, page),
  'the pending proposals': (db) => listProposals(db, ada, { ...page, status: 'pending' }),
  'the proposals of an operation': (db) =>
    listProposals(db, ada, { ...page, operation: 'operation2' }),
  'the newest assertions': (db) => listAssertions(db, ada, { ...page, status: 'active' }),
}

const queries: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  ...ordered,
  'a proposal by id': (db) => findProposal(db, ada, 'p2'),
  'the proposals of a batch': (db) => listOfBatch(db, ada, 'b2'),
  'the number of pending proposals': (db) => countPending(db, ada),
  'the number of recent failures': (db) =>
    countByStatus(db, ada, { status: 'failed', updatedSince: '2025-06-01' }),
  'equal pending proposals': (db) => listPendingFingerprints(db, ada, ['f4', 'f8']),
  'the proposal that is applied': (db) => claimPending(db, ada, 'p4'),
  'the images of an operation': (db) => listChanges(db, ['p2', 'p4']),
  'the images that an undo deletes': (db) => deleteChanges(db, ['p2']),
  'expired images': (db) => deleteChangesBefore(db, '2025-01-01'),
  'open contradictions': (db) => listContradictions(db, ada, { ...page, status: 'open' }),
  'the contradictions of claims': (db) => listContradictionsOf(db, ['c2', 'c4']),
  'the assertions about entities': (db) =>
    listAssertions(db, ada, { ...page, subjectIds: ['e2', 'e4'], status: 'active' }),
  'the assertions of a session': (db) => listOfSession(db, { agentId: ada, sessionKey: 'k2' }, 20),
  'forgotten evidence': (db) => listLostEvidence(db, ['p2', 'p4']),
  'what forgotten memories support': (db) => markLost(db, change, null),
  'what is hidden with them': (db) => syncWithheld(db, ['p2'], '2026-01-01'),
  'the operations that changed rows': (db) => listOperationsOf(db, ['ep2', 'ep4']),
}

describePlans({ migrations: ontologyMigrations, generated }, (readPlans) => {
  test.each(Object.entries(queries))('reads %s through an index', async (_, run) => {
    const plans = await readPlans(run)

    expect(plans.length).toBeGreaterThan(0)
    expect(scansOf(plans)).toEqual([])
  })

  test.each(Object.entries(ordered))('reads %s in the order of its index', async (_, run) => {
    expect((await readPlans(run)).join('\n')).not.toMatch(/TEMP B-TREE|\bSort\b/)
  })
})
