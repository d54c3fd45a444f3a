import { expect, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { describePlans } from '../../kernel/testing/describe-plans.ts'
import { hasRow, isLong, scansOf } from '../../kernel/testing/plan-of.ts'
import { listNameCandidates } from './focal/names-in-text.ts'
import { searchGraph } from './focal/search-graph.ts'
import { knowledgeMigrations } from './migrations.ts'
import { listCitations, listClaims, listLinks, listSlot } from './store/claims.ts'
import { countOfEntities } from './store/counts.ts'
import { countClaimsOf, findDegrees, listHubMemories } from './store/degrees.ts'
import {
  findAspect,
  findByAlias,
  findEntity,
  listAliases,
  listAllAspects,
  listNamed,
} from './store/entities.ts'
import { listOwners, listSupported, markCitations, markMentions } from './store/evidence.ts'
import {
  findByWords,
  findNamed,
  listCitedMemories,
  listIncomingLinks,
  listMentioned,
  listMentioning,
} from './store/focal.ts'
import { recountMentions } from './store/mentions.ts'
import { listNamedRows } from './store/named-rows.ts'
import { linkTables, listMissing } from './store/orphaned.ts'
import { listEntities } from './store/search-names.ts'
import { listSuccessorMemories } from './store/successors.ts'
import {
  withholdAspects,
  withholdClaims,
  withholdEntities,
  withholdLinks,
} from './store/withheld.ts'

const entities = isLong ? 50_000 : 4_000
const claims = 4 * entities
const numbers = (count: number) =>
  `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`
const at = `'2026-01-01', '2026-01-01'`
const generated = [
  `insert into entities (id, agent_id, name, canonical_name, entity_type, mentions, pinned, status,
     created_at, updated_at) ${numbers(entities)}
   select 'e' || i, 'agent' || (i % 2), 'Name ' || i, 'name ' || i, 'tool', i % 9, 0, 'active', ${at} from n`,
  `insert into entity_names select agent_id, canonical_name, id, 'name' from entities`,
  `insert into entity_name_words select agent_id, 'word' || id, id from entities`,
  `insert into entity_aliases (id, agent_id, entity_id, alias, canonical_alias, confidence, source,
     status, created_at, updated_at)
   select 'l' || id, agent_id, id, 'Alias ' || id, 'alias ' || id, 1, 'test', 'active', ${at} from entities`,
  `insert into entity_aspects (id, agent_id, entity_id, name, canonical_name, weight, status,
     created_at, updated_at)
   select 'a' || id, agent_id, id, 'Tools', 'tools', 0.5, 'active', ${at} from entities`,
  `insert into entity_attributes (id, agent_id, entity_id, aspect_id, kind, mode, content,
     normalized_content, group_key, claim_key, confidence, importance, asserted_at, visibility,
     pinned, status, version, version_root_id, created_at, updated_at) ${numbers(claims)}
   select 'c' || i, 'agent' || (i % 2), 'e' || (i % ${entities}), 'ae' || (i % ${entities}),
     'attribute', 'add', 'value ' || i, 'value ' || i, 'general', 'editor', 0.5, (i % 10) / 10.0,
     '2026-01-01', 'global', 0, 'active', i, 'c' || i, ${at} from n`,
  `insert into entity_dependencies (id, agent_id, source_entity_id, target_entity_id,
     dependency_type, strength, confidence, visibility, status, created_at, updated_at)
   ${numbers(2 * entities)}
   select 'd' || i, 'agent' || (i % 2), 'e' || (i % ${entities}),
     'e' || ((i + 2 + i / ${entities}) % ${entities}), 'uses', 0.8, 0.5, 'global', 'active', ${at} from n`,
  `insert into knowledge_citations (agent_id, subject_type, subject_id, source_kind, source_id, quote,
     quote_hash, source_time, visibility, created_at)
   select agent_id, 'claim', id, 'memory', 'm' || id, 'words', 'h', '2026-01-01', 'global', '2026-01-01'
   from entity_attributes`,
  `insert into knowledge_degrees (agent_id, entities, p90, computed_at) ${numbers(entities)}
   select 'agent' || i, 9, 2, '2026-01-01' from n`,
  `insert into memory_entity_mentions (memory_id, entity_id, agent_id, origin)
   select 'm' || id, entity_id, agent_id, 'citation' from entity_attributes`,
  `update entity_attributes set status = 'superseded', superseded_by = 'c4' where id = 'c2'`,
]

const ada = 'agent0'
const ids = ['e2', 'e4', 'e6']
const claimIds = ['c2', 'c4', 'c6']
const change = { agentId: ada, kind: 'memory' as const, ids: ['mc2', 'mc4'] }
const withheldAt = '2026-01-02'
const limits = { maxHops: 2, minStrength: 0.3, branching: 4, maxPaths: 50 }
const question = 'which editor is the value of Name 2?'
const page = { agentId: ada, canonicalPart: undefined, entityType: undefined, limit: 20, offset: 0 }

const namedSlot = { aspect: 'tools', groupKey: 'general', claimKey: 'editor' }
const queries: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'the first page of the entities': (db) => listEntities(db, page),
  'the counts of a page': (db) => countOfEntities(db, ids),
  'an entity by id': (db) => findEntity(db, ada, 'e2'),
  'an entity by name': (db) => listNamed(db, ada, 'name 2'),
  'an entity by alias': (db) => findByAlias(db, ada, 'alias e2'),
  'the aliases of an entity': (db) => listAliases(db, ada, 'e2'),
  'an aspect by name': (db) => findAspect(db, ada, { entityId: 'e2', canonicalName: 'tools' }),
  'the aspects of an entity': (db) => listAllAspects(db, ada, 'e2'),
  'the values of a slot': (db) =>
    listSlot(db, ada, { aspectId: 'ae2', groupKey: 'general', claimKey: 'editor' }),
  'the claims of an entity': (db) => listClaims(db, ada, { entityId: 'e2' }),
  'the links of an entity': (db) => listLinks(db, ada, 'e2'),
  'the citations of claims': (db) => listCitations(db, 'claim', claimIds),
  'the names in a prompt': (db) =>
    findNamed(
      db,
      ada,
      Array.from({ length: 600 }, (_, i) => `name ${i}`),
    ),
  'the words of names in a prompt': (db) => findByWords(db, ada, ['worde2', 'worde4']),
  'all that a question looks up': (db) =>
    searchGraph(db, {
      agentId: ada,
      text: question,
      names: listNameCandidates(question),
      limits,
    }),
  'the memories that claims cite': (db) => listCitedMemories(db, ada, claimIds),
  'the claims of memories': (db) => countClaimsOf(db, ada, ['mc2', 'mc4']),
  'the memories of what replaced claims': (db) => listSuccessorMemories(db, ada, ['mc2', 'mc4']),
  'the memories about hubs': (db) =>
    listHubMemories(db, ada, { memoryIds: ['mc2', 'mc4'], minDegree: 3 }),
  'how many links entities have': (db) => findDegrees(db, ada),
  'the links that end at entities': (db) =>
    listIncomingLinks(db, ada, { entityIds: ids, types: ['uses', 'owns'], limit: 5 }),
  'the entities that memories mention most': (db) =>
    listMentioned(db, ada, { memoryIds: ['mc2', 'mc4'], limit: 20 }),
  'the memories that mention entities': (db) =>
    listMentioning(db, ada, { entityIds: ids, limit: 50 }),
  'what forgotten memories support': (db) => markCitations(db, change, null),
  'the mentions of forgotten memories': (db) => markMentions(db, change, null),
  'which claims still have a source': (db) => listSupported(db, { type: 'claim', ids: claimIds }),
  'the claims that nothing supports': (db) => withholdClaims(db, { ids: claimIds, withheldAt }),
  'the links that nothing supports': (db) => withholdLinks(db, { ids: ['d2', 'd4'], withheldAt }),
  'the aspects that hold nothing': (db) => withholdAspects(db, { ids: ['ae2'], withheldAt }),
  'the entities that hold nothing': (db) => withholdEntities(db, { ids, withheldAt }),
  'the entities that hold rows': (db) => listOwners(db, 'entityId', ids),
  'the mentions of entities': (db) => recountMentions(db, ids),
  'the rows that operations name': (db) =>
    listNamedRows(db, ada, {
      slots: ['name 2', 'name 4'].map((entity) => ({ entity, ...namedSlot })),
      names: ['name 6'],
      memoryIds: ['mc2', 'mc4'],
    }),
}

/** The rows of a part of the query, which are few. */
const ofPart =
  /^SCAN (\(subquery-\d+\)|ranked|ends|page|named|candidate|\d+ CONSTANT ROWS|\d+-ROW VALUES CLAUSE)$/

/** Most databases have one agent, so that these indexes find all rows. */
const readsAgent = /(_of_agent|entities_listed) \(agent_id=\?\)/
const bounded = Object.entries(queries).filter(
  ([name]) => name !== 'the first page of the entities',
)

describePlans({ migrations: knowledgeMigrations, generated }, (readPlans, engine) => {
  test.each(Object.entries(queries))('reads %s through an index', async (_, run) => {
    const plans = await readPlans(run)

    expect(plans.length).toBeGreaterThan(0)
    expect(scansOf(plans).filter((step) => !ofPart.test(step))).toEqual([])
  })

  test.runIf(engine === 'sqlite').each(bounded)(
    'does not read all rows of the agent for %s',
    async (_, run) => {
      const plans = await readPlans(run)

      expect(plans.filter((step) => readsAgent.test(step))).toEqual([])
    },
  )

  test.each(linkTables)(
    'reads the next memories of the %s in the order of an index',
    async (table) => {
      const next = { table, after: 'mc', limit: 20, isStored: hasRow('entities') }
      const plans = await readPlans((db) => listMissing(db, next))

      expect(scansOf(plans).filter((step) => !ofPart.test(step))).toEqual([])
      expect(plans.join('\n')).not.toMatch(/TEMP B-TREE|\bSort\b/)
    },
  )

  test('reads the first page of the entities in the order of its index', async () => {
    const plans = await readPlans((db) => listEntities(db, page))

    expect(plans.join('\n')).toContain('entities_listed')
    expect(plans.join('\n')).not.toMatch(/TEMP B-TREE|\bSort\b/)
  })
})
