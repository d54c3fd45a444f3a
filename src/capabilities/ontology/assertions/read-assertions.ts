import type { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import { notFound } from '../../../kernel/errors/refusal.ts'
import { normalizeValue } from '../../knowledge/index.ts'
import type { OntologyNeeds } from '../needs.ts'
import { hideLost } from '../proposals/read-proposals.ts'
import {
  type AssertionFilter,
  countAssertions,
  findAssertion,
  listAssertions,
} from '../store/assertions.ts'
import type { Assertion } from './assertion.ts'
import type { assertionReply, assertionsQuery } from './schemas.ts'

type Needs = Pick<OntologyNeeds, 'db' | 'knowledge'>
type AssertionReply = z.output<typeof assertionReply>

export async function listVisibleAssertions(
  { db, knowledge }: Needs,
  agentId: string,
  query: z.output<typeof assertionsQuery>,
) {
  const { limit, offset } = query
  const subjectIds = await listSubjectIds({ knowledge }, db, { agentId, query })
  if (subjectIds?.length === 0) return { items: [], count: 0, limit, offset }
  const filter: AssertionFilter = {
    subjectIds,
    status: query.status === 'all' ? undefined : (query.status ?? 'active'),
    predicate: query.predicate,
    speaker: query.speaker,
    sourceKind: query.source_kind,
    sourceId: query.source_id,
    part: query.query === undefined ? undefined : normalizeValue(query.query),
  }
  const rows = await listAssertions(db, agentId, { ...filter, limit, offset })
  const count = await countAssertions(db, agentId, filter)
  return { items: await describe({ knowledge }, db, { agentId, rows }), count, limit, offset }
}

interface SubjectQuery {
  readonly agentId: string
  readonly query: z.output<typeof assertionsQuery>
}

/** Undefined without a filter; empty when the entity is unknown. */
async function listSubjectIds(
  { knowledge: { subjects } }: Pick<Needs, 'knowledge'>,
  db: Db,
  { agentId, query: { entity, entity_id } }: SubjectQuery,
): Promise<string[] | undefined> {
  if (entity === undefined && entity_id === undefined) return undefined
  const named = entity === undefined ? undefined : await subjects.findByName(db, agentId, entity)
  const id = entity_id ?? named?.id
  return id === undefined ? [] : subjects.listWithMerged(db, agentId, [id])
}

export async function readAssertion(
  needs: Pick<OntologyNeeds, 'knowledge'>,
  db: Db,
  { agentId, id }: { readonly agentId: string; readonly id: string },
): Promise<AssertionReply> {
  const assertion = await findAssertion(db, agentId, id)
  const rows = assertion ? [assertion] : []
  const [described] = await describe(needs, db, { agentId, rows })
  if (!described) throw notFound('Assertion not found')
  return described
}

interface Rows {
  readonly agentId: string
  readonly rows: readonly Assertion[]
}

/** Adds the name of the subject, and omits withheld evidence. */
async function describe(
  { knowledge: { subjects } }: Pick<Needs, 'knowledge'>,
  db: Db,
  { agentId, rows }: Rows,
): Promise<AssertionReply[]> {
  const named = await subjects.read(
    db,
    agentId,
    rows.map(({ subjectEntityId }) => subjectEntityId),
  )
  const claims = await subjects.listVisibleClaims(
    db,
    agentId,
    rows.flatMap(({ claimAttributeId }) => claimAttributeId ?? []),
  )
  return (await hideLost(db, rows)).flatMap((row) => {
    const subject = named.get(row.subjectEntityId)
    const isVisible = row.claimAttributeId !== null && claims.has(row.claimAttributeId)
    const claimAttributeId = isVisible ? row.claimAttributeId : null
    return subject ? [toReply({ ...row, claimAttributeId }, subject)] : []
  })
}

function toReply(
  assertion: Assertion,
  { id, name }: { readonly id: string; readonly name: string },
): AssertionReply {
  const { withheldAt, subjectWithheldAt, sessionKey, visibility, ...fields } = assertion
  return {
    ...fields,
    subjectEntityId: id,
    subjectEntityName: name,
    entity: name,
    entity_id: id,
    asserted_at: fields.assertedAt,
    source_kind: fields.sourceKind,
    source_id: fields.sourceId,
    source_path: fields.sourcePath,
    source_root: fields.sourceRoot,
    claim_attribute_id: fields.claimAttributeId,
    created_by: fields.createdBy,
  }
}
