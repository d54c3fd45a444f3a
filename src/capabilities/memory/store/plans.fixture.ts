import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { newMemory } from '../new-memory.ts'
import { listMostUsed } from './access.ts'
import {
  countLive,
  countSuperseded,
  countUnprocessed,
  listChanged,
  listEmbedded,
} from './embeddable.ts'
import { listInvalid, listRatingTotals } from './feedback.ts'
import { countRecentChanges } from './figures.ts'
import {
  listContaining,
  listFound,
  listIds,
  listSpeakers,
  rankByDecayedImportance,
} from './listing.ts'
import { listByIdPrefix, listByIds, listLinked, listListable, readListStats } from './lists.ts'
import { createFindRecord, findDuplicate, findReadable, listVisible } from './memories.ts'
import {
  countCreated,
  countHistoryEvents,
  listDisputed,
  listDue,
  listLowConfidence,
} from './overview.ts'
import { listExpired } from './purge.ts'
import { searchExpression, searchHints, searchPieces } from './search.ts'
import { listCaptured, listMemoryFacts, listOtherFacts } from './temporal.ts'

/** Gives rows a typical width. */
const evidence = `'"${'e'.repeat(400)}"'`
export const rows = 100_000

/** `timeOf` formats Unix seconds in the dialect. */
export const createRows = (timeOf: (seconds: string) => string, count = rows) => [
  `insert into memories (id, agent_id, visibility, content, content_hash, type, memory_kind,
      importance, pinned, who, source_type, extraction_status, version, revision, created_at,
      updated_at, updated_by, review_after, confidence, idempotency_key, source_id, deleted_at, scope,
      evidence)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    select 'm' || i, 'agent' || (i % 7), 'global', 'word' || (i % 1000) || ' of ' || i, 'h' || i,
      'fact', 'episodic', 0.5, 0, 'ada', 'manual', 'none', 1, i,
      ${timeOf('1700000000 + i * 60')}, '', 'ada',
      case when i % 50 = 0 then '2026-01-01' end, case when i % 50 = 1 then 0.3 end,
      case when i % 50 = 2 then 'key' || i end, case when i % 50 = 3 then 'source' || i end,
      case when i % 50 = 4 then '2026-01-02' end, case when i % 50 = 5 then 'world' end,
      ${evidence} from n`,
  'insert into memory_access select id, position % 9, created_at from memories',
  `insert into memory_history (id, memory_id, event, changed_by, actor_type, created_at)
    select id, id, 'created', 'ada', 'operator', created_at from memories`,
  `insert into memory_hints (memory_id, agent_id, hint)
    select id, agent_id, 'hint' || (position % 500) from memories where position % 5 = 0`,
  `insert into temporal_edges select id, agent_id, 'memory', id, 'valid', created_at, null, 1,
    created_at from memories where position % 5 = 0`,
  `insert into memory_feedback select id, agent_id, 's', -1, created_at
    from memories where position % 20 = 0`,
  `insert into memory_purged select revision + ${count}, id, created_at
    from memories where position % 20 = 0`,
]

type Queries = Readonly<Record<string, (db: Db) => Promise<unknown>>>

const scope = { agentId: 'agent1', policy: 'shared', groupAgents: [], project: null } as const
export const request = { readScope: scope, filters: { scope: null }, limit: 20 } as const
const day = { start: '2023-12-01', end: '2023-12-02', facets: ['valid', 'captured'] }
const ofWorld = { scope: 'world' }
const page = { limit: 20, offset: 0 }
const january = { since: '2024-01-01T00:00:00.000Z', until: '2024-02-01T00:00:00.000Z' }
const during = { ...request, filters: { scope: null, during: day } }
const alone = { ...scope, policy: 'isolated' } as const
export const ids = Array.from({ length: 30 }, (_, index) => `m${index}`)
export const these = { ids, at: '2024-01-01' }
const unlike = newMemory(fixedHost(), callerFor('agent3'), { content: 'unlike all others' })
const keyed = { idempotencyKey: 'key52', agentId: 'agent3' }
const taken = { sourceId: 'source53', sourceType: 'manual', agentId: 'agent4' }

/** Ordered by an index; they stop at the limit. */
export const ordered: Queries = {
  'the list': (db) => listListable(db, scope, { limit: 20, offset: 0 }),
  'the list of a project': (db) => listListable(db, scope, { ...page, project: 'garden' }),
  'the list of a type': (db) => listListable(db, scope, { ...page, type: 'decision' }),
  'the list of a speaker': (db) => listListable(db, scope, { ...page, who: 'bob' }),
  'the list of a kind of source': (db) =>
    listListable(db, scope, { ...page, sourceType: 'import' }),
  'the list of pinned memories': (db) => listListable(db, scope, { ...page, pinned: true }),
  'the list of superseded memories': (db) =>
    listListable(db, scope, { ...page, state: 'superseded' }),
  'the list of forgotten memories': (db) =>
    listListable(db, scope, { ...page, state: 'forgotten', forgottenSince: '2026-01-01' }),
  'the list with tags': (db) => listListable(db, scope, { ...page, tags: ['one', 'two'] }),
  'the list of a span of time': (db) => listListable(db, scope, { ...page, ...january }),
  'the list of an id prefix': (db) =>
    listByIdPrefix(db, scope, { ...page, idPrefix: '0195f3', includeDeleted: true }),
  words: (db) => searchExpression(db, '"word7"', request),
  hints: (db) => searchHints(db, '"hint7"', request),
  'what was captured': (db) => listCaptured(db, day, request),
  'the most used': (db) => listMostUsed(db, scope, { limit: 10 }),
  'the list of a namespace': (db) => listListable(db, scope, { ...ofWorld, limit: 20, offset: 0 }),
  'the most used of a namespace': (db) => listMostUsed(db, scope, { ...ofWorld, limit: 10 }),
  'what is due in a namespace': (db) =>
    listDue(db, scope, { ...ofWorld, now: '2026-06-01', limit: 200 }),
  'what is doubtful in a namespace': (db) =>
    listLowConfidence(db, scope, { ...ofWorld, below: 0.5, limit: 200 }),
  'what has a vector': (db) => listEmbedded(db, scope, embedded),
  'what of a namespace has a vector': (db) => listEmbedded(db, scope, { ...embedded, ...ofWorld }),
  'what is due': (db) => listDue(db, scope, { now: '2026-06-01', limit: 200 }),
  'what is to be purged': (db) => listExpired(db, { before: '2026-06-01', limit: 500 }),
  'what is to be embedded': (db) => listChanged(db, { after: 500, limit: 500 }),
  'what is doubtful': (db) => listLowConfidence(db, scope, { below: 0.5, limit: 200 }),
}

const isNumbered = (column: string) => sql<boolean>`${sql.ref(column)} <> ''`

/** They read part of an index. */
export const inPart: Queries = {
  'pieces of words': (db) => searchPieces(db, ['d7 o', '7 of'], request),
  'pieces of words of its own': (db) =>
    searchPieces(db, ['d7 o'], { ...request, readScope: alone }),
  'what is disputed': (db) => listDisputed(db, scope, { limit: 200 }),
  'how many memories are superseded': (db) => countSuperseded(db, isNumbered),
  'what is disputed in a namespace': (db) => listDisputed(db, scope, { ...ofWorld, limit: 200 }),
}

/** They read only matching rows. */
export const selective: Queries = {
  'one memory': (db) => findReadable(db, scope, 'm1'),
  'one memory with its state': (db) =>
    createFindRecord(() => sql<string | null>`null`)(db, scope, 'm1'),
  'the twin by its words': (db) => findDuplicate(db, unlike),
  'the twin by its key': (db) => findDuplicate(db, { ...unlike, ...keyed }),
  'the twin by its source': (db) => findDuplicate(db, { ...unlike, ...taken }),
  'some by their ids': (db) => listByIds(db, ids),
  'what some have superseded': (db) => listLinked(db, ids),
  'the memories of a range': (db) => listIds(db, during),
  opinions: (db) => listRatingTotals(db, 'agent1', ids),
  'what is not valid': (db) => listInvalid(db, ids, '2024-01-01'),
  'facts of a range': (db) => listMemoryFacts(db, day, request),
  'other facts of a range': (db) => listOtherFacts(db, day, { agentId: 'agent1', limit: 20 }),
  'the worthiest of a range': (db) => rankByDecayedImportance(db, during, new Date('2024-01-01')),
  'who spoke in a range': (db) => listSpeakers(db, during),
  'what of a range contains a text': (db) => listContaining(db, 'word7', during),
  'memories created since': (db) => countCreated(db, scope, day),
  'what was done': (db) => countHistoryEvents(db, scope, day),
  'recent deletions and recoveries': (db) => countRecentChanges(db, january.since),
  'memories created in a namespace': (db) => countCreated(db, scope, { ...day, ...ofWorld }),
  'what was done in a namespace': (db) => countHistoryEvents(db, scope, { ...day, ...ofWorld }),
}

const identity = 'tiny'

/** They read maintained counts and no memory. */
export const counted: Queries = {
  'the stats of a list': (db) => readListStats(db, scope, { identity }),
  'the stats of a namespace': (db) => readListStats(db, scope, { ...ofWorld, identity }),
  'the stats of every namespace': (db) => readListStats(db, scope, { allScopes: true, identity }),
  'the stats of a project': (db) =>
    readListStats(db, { ...alone, project: 'garden' }, { identity }),
}

/** The step of a plan reads memories or their vectors. */
export const readsMemories = (step: string) => /\b(memories|memory_v)/.test(step)

/** The ids must drive the plan, whatever the other conditions are. */
export const byIds: Queries = {
  'visible ones of some': (db) => listVisible(db, scope, ids),
  'visible ones of some of its own': (db) => listVisible(db, alone, ids),
  'memories by id': (db) => listFound(db, these, request),
  'memories of its own by id': (db) => listFound(db, these, { ...request, readScope: alone }),
  'memories as of a day': (db) => listFound(db, these, { ...request, asOf: '2024-01-01' }),
}

const embedded = { limit: 50, offset: 0, hasVector: (column: string) => isNumbered(column) }

/** An index would cause random reads of rows and vectors. */
export const inInsertOrder: Queries = {
  'all that may have a vector': (db) => countLive(db, isNumbered),
  'all that may lack one': (db) => countUnprocessed(db, { upTo: rows, isProcessed: isNumbered }),
}
