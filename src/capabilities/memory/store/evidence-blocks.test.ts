import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseConflict } from '../../../kernel/db/database-error.ts'
import { type Migration, migrate } from '../../../kernel/db/migrations.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { engines } from '../../../kernel/testing/engines.ts'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { plansOf } from '../../../kernel/testing/plan-of.ts'
import { agentsModule } from '../../agents/index.ts'
import { blockRevisions, evidenceBlocksMigration } from '../evidence-blocks-migration.ts'
import { forget, recover } from '../forget.ts'
import { isRefusal, memoryNeeds, onEachEngine } from '../memory.fixture.ts'
import { memoryMigrations } from '../migrations.ts'
import type { MemoryNeeds } from '../needs.ts'
import { remember } from '../remember.ts'
import { supersede } from '../supersede.ts'
import { updateMemory } from '../update.ts'
import { listChangedEvidence, sumChangedEvidence } from './evidence.ts'
import { archiveMemories, purgeAgent, purgeExpired } from './purge.ts'
import { tables } from './rows.ts'

const at = '2030-01-01T00:00:00.000Z'
const reason = { reason: 'a test', ifVersion: undefined }

interface Change {
  readonly index: number
  readonly agentId: string
  readonly scope: string | undefined
  readonly sourceType: string
  readonly createdAt: string
}

interface Target {
  readonly db: Db
  readonly needs: MemoryNeeds
  /** Ids of a memory and of its neighbour. */
  readonly id: string
  readonly nextId: string
}

type Action = (target: Target, change: Change) => Promise<unknown>

const actions: Readonly<Record<string, Action>> = {
  remember: ({ needs }, { agentId, scope, sourceType, createdAt }) =>
    remember(needs, callerFor(agentId), {
      content: `note ${needs.host.newId()}`,
      visibility: 'global',
      scope,
      sourceType,
      createdAt,
    }),
  forget: ({ needs, id }, { agentId }) =>
    forget(needs, callerFor(agentId), { ...reason, id, force: true }),
  recover: ({ needs, id }, { agentId }) => recover(needs, callerFor(agentId), { ...reason, id }),
  supersede: ({ needs, id, nextId }, { agentId }) =>
    supersede(needs, callerFor(agentId), { id, supersededBy: nextId, reason: null }),
  update: ({ needs, id }, { agentId }) =>
    updateMemory(needs, callerFor(agentId), { ...reason, id, importance: 0.4 }),
  /** Without a new revision. */
  move: ({ db }, { agentId, scope = null, createdAt }) =>
    tables(db)
      .updateTable('memories')
      .set({ scope, createdAt })
      .where('agentId', '=', agentId)
      .execute(),
  startBlock: ({ db }) =>
    tables(db)
      .updateTable('memoryRevision')
      .set((eb) => ({ value: eb('value', '+', blockRevisions) }))
      .execute(),
  archive: ({ db }, { agentId }) => archiveMemories(db, agentId),
  purgeDeleted: async ({ db }) => {
    const rows = await tables(db).selectFrom('memories').select('id').execute()
    await purgeExpired(db, { ids: ['none', ...rows.map(({ id }) => id)], before: at, at })
  },
  purgeAgent: ({ db }, { agentId }) => purgeAgent(db, { agentId, at }),
}

const change = record({
  // A run needs more memories than other changes.
  name: constantFrom('remember', 'remember', 'startBlock', 'forget', ...Object.keys(actions)),
  index: nat(20),
  agentId: constantFrom('ada', 'bob'),
  scope: constantFrom(undefined, undefined, 'shed'),
  sourceType: constantFrom('manual', 'manual', 'aggregate'),
  createdAt: constantFrom('2020-01-01', '2021-01-01', '2022-01-01').map(
    (day) => `${day}T00:00:00.000Z`,
  ),
})

onEachEngine('sums of unread evidence equal the rows after every change', async (db) => {
  const { needs } = memoryNeeds(db)
  const run = asyncProperty(array(change, { minLength: 10, maxLength: 40 }), async (changes) => {
    for (const { name, ...fields } of changes) {
      const ids = await tables(db).selectFrom('memories').select('id').orderBy('position').execute()
      const idAt = (index: number) => ids[index % Math.max(1, ids.length)]?.id ?? ''
      const target = { db, needs, id: idAt(fields.index), nextId: idAt(fields.index + 1) }
      await actions[name]?.(target, fields).catch(ignoreRefusal)
    }
    await expectExactSums(db)
  })
  await assert(run, { numRuns: 15 })
})

onEachEngine('a removed oldest memory leaves the next oldest one', async (db) => {
  const { needs } = memoryNeeds(db)
  const dayOf = (block: number) => `2020-01-${String(block + 1).padStart(2, '0')}T00:00:00.000Z`
  const oldest: string[] = []
  for (let block = 0; block < 12; block++) {
    const old = await save(needs, `old ${block}`, dayOf(block))
    await save(needs, `new ${block}`, '2022-01-01T00:00:00.000Z')
    oldest.push(old)
    await actions['startBlock']?.({ db, needs, id: '', nextId: '' }, {} as Change)
  }
  for (const [block, id] of oldest.entries()) {
    expect((await sumChangedEvidence(db, 'ada', 0)).oldestAt).toBe(dayOf(block))
    await forget(needs, callerFor('ada'), { ...reason, id, force: false })
    await expectExactSums(db)
  }
})

onEachEngine('sums of unread evidence read blocks, not memories', async (db) => {
  const steps = await plansOf(db, (db) => sumChangedEvidence(db, 'ada', 1_000))

  const memories = steps.filter((step) => / on memories|SEARCH memories|SCAN memories/.test(step))
  const blocks = steps.filter((step) => step.includes('memory_evidence_blocks'))
  expect(memories.length).toBeGreaterThan(0)
  for (const step of memories) expect(step).toMatch(/memories_(evidence|revised)/)
  expect(blocks.length).toBeGreaterThan(1)
  for (const step of blocks) expect(step).not.toMatch(/SCAN|Seq Scan/)
})

test.for(engines)('an upgrade sums the rows of an older database ($engine)', async ({ open }) => {
  const database = await open()
  const { db } = database
  const steps = [...agentsModule.migrations, ...memoryMigrations]
  const isNewer = ({ id }: Migration) => id === evidenceBlocksMigration.id
  await migrate(
    database,
    steps.filter((step) => !isNewer(step)),
    fixedHost().now(),
  )
  const { needs } = memoryNeeds(db)
  for (const name of ['heron', 'egret', 'ibis']) await save(needs, name, at)
  await migrate(database, steps, fixedHost().now())

  expect(await sumChangedEvidence(db, 'ada', 0)).toMatchObject({ count: 3, chars: 14 })
  await expectExactSums(db)
})

async function save(needs: MemoryNeeds, content: string, createdAt: string): Promise<string> {
  const request = { content, visibility: 'global', createdAt } as const
  return (await remember(needs, callerFor('ada'), request)).memory.id
}

function ignoreRefusal(error: unknown): void {
  if (!isRefusal(error) && !(error instanceof DatabaseConflict)) throw error
}

/** Sums the listed rows outside the database. */
async function expectExactSums(db: Db): Promise<void> {
  for (const agentId of ['ada', 'bob']) {
    const rows = await listChangedEvidence(db, agentId, { after: 0, limit: 1_000 })
    const revisions = rows.map(({ revision }) => revision)
    for (const after of [0, 1, blockRevisions - 1, blockRevisions, ...revisions]) {
      const unread = rows.filter(({ revision }) => revision > after)
      expect(await sumChangedEvidence(db, agentId, after)).toEqual({
        count: unread.length,
        chars: unread.reduce((sum, { chars }) => sum + chars, 0),
        oldestAt: unread.map(({ createdAt }) => createdAt).toSorted()[0] ?? null,
      })
    }
  }
}
