import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import type { Fact, RefusedFingerprint } from '../rules/statement.ts'
import { type FactRow, tables } from './rows.ts'

/** Sources of one fingerprint. */
const maxSources = 50

export interface SavedFact {
  readonly fact: Fact
  readonly attributeId: string | null
  readonly passId: string
}

export async function saveFacts(
  db: Db,
  agentId: string,
  facts: readonly SavedFact[],
): Promise<void> {
  for (const part of listParts(facts.map((fact) => toRow(agentId, fact))))
    await tables(db)
      .insertInto('dreamingFacts')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['agentId', 'fingerprint', 'sourceKind', 'sourceId'])
          .doUpdateSet(({ ref }) => ({
            quoteStart: ref('excluded.quoteStart'),
            quoteLength: ref('excluded.quoteLength'),
            assertedAt: ref('excluded.assertedAt'),
            state: ref('excluded.state'),
            attributeId: ref('excluded.attributeId'),
            passId: ref('excluded.passId'),
          })),
      )
      .execute()
}

function toRow(agentId: string, { fact, attributeId, passId }: SavedFact): FactRow {
  const { start, length, ownWord, ...fields } = fact
  return {
    fingerprint: fields.fingerprint,
    family: fields.family,
    subject: fields.subject,
    slot: fields.slot,
    value: fields.value,
    sourceKind: fields.sourceKind,
    sourceId: fields.sourceId,
    session: fields.session,
    assertedAt: fields.assertedAt,
    agentId,
    quoteStart: start,
    quoteLength: length,
    ownWord: ownWord ? 1 : 0,
    state: 'live',
    attributeId,
    passId,
  }
}

function toFact({ quoteStart, quoteLength, ownWord, ...row }: FactRow): Fact {
  const { fingerprint, family, subject, slot, value, sourceKind, sourceId } = row
  return {
    fingerprint,
    family,
    subject,
    slot,
    value,
    sourceKind,
    sourceId,
    session: row.session,
    assertedAt: row.assertedAt,
    start: quoteStart,
    length: quoteLength,
    ownWord: ownWord === 1,
  }
}

/** What is known about subjects, from sources that are not forgotten. */
export async function listFacts(
  db: Db,
  agentId: string,
  subjects: readonly string[],
): Promise<Fact[]> {
  const facts: Fact[] = []
  for (const part of listParts(subjects)) {
    const rows = await tables(db)
      .selectFrom('dreamingFacts')
      .selectAll()
      .where('agentId', '=', agentId)
      .where('subject', 'in', part)
      .where('state', '=', 'live')
      .orderBy('assertedAt')
      .orderBy('sourceId')
      .limit(part.length * maxSources * 20)
      .execute()
    facts.push(...rows.map(toFact))
  }
  return facts
}

export async function deleteFactsOf(
  db: Db,
  { passId, fingerprints }: { readonly passId: string; readonly fingerprints: readonly string[] },
): Promise<void> {
  for (const part of listParts(fingerprints))
    await tables(db)
      .deleteFrom('dreamingFacts')
      .where('passId', '=', passId)
      .where('fingerprint', 'in', part)
      .execute()
}

export async function listRefused(db: Db, agentId: string): Promise<RefusedFingerprint[]> {
  return await tables(db)
    .selectFrom('dreamingRefusals')
    .select(['fingerprint', 'untilAfter'])
    .where('agentId', '=', agentId)
    .execute()
}

export interface NewRefusal {
  readonly fingerprint: string
  readonly reason: 'rejected' | 'undone'
  /** Statements up to this time do not bring the value back. */
  readonly untilAfter: string
  readonly createdAt: string
}

/** The newest ones stay. */
const maxRefusals = 10_000

export async function saveRefusals(
  db: Db,
  agentId: string,
  refusals: readonly NewRefusal[],
): Promise<void> {
  for (const part of listParts(refusals.map((refusal) => ({ ...refusal, agentId }))))
    await tables(db)
      .insertInto('dreamingRefusals')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['agentId', 'fingerprint']).doUpdateSet(({ ref }) => ({
          reason: ref('excluded.reason'),
          untilAfter: ref('excluded.untilAfter'),
          createdAt: ref('excluded.createdAt'),
        })),
      )
      .execute()
  const oldest = await tables(db)
    .selectFrom('dreamingRefusals')
    .select('createdAt')
    .where('agentId', '=', agentId)
    .orderBy('createdAt', 'desc')
    .offset(maxRefusals)
    .limit(1)
    .executeTakeFirst()
  if (oldest)
    await tables(db)
      .deleteFrom('dreamingRefusals')
      .where('agentId', '=', agentId)
      .where('createdAt', '<=', oldest.createdAt)
      .execute()
}
