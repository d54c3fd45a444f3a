import type { Db } from '../../../kernel/db/database.ts'
import { toCanonicalName } from '../../knowledge/index.ts'
import { findGroundingFault } from '../check/grounding.ts'
import type { ParsedOperation } from '../check/parse-operations.ts'
import { fingerprintOf, hashValue } from '../fact.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { CurrentClaim, Fact } from '../rules/statement.ts'
import { readClaims } from '../rules-stage.ts'
import { findAttention } from '../store/attention.ts'
import { isAbout, listTargets } from '../union.ts'
import { type CheckedQuote, checkQuotes, type Fault, speaksOf } from './check-quotes.ts'
import {
  claimWrites,
  type EntityIndex,
  listReplacedClaims,
  type NamedEntity,
  type Payload,
  readText,
  structureRemovals,
  toStagedPayload,
} from './staged-payload.ts'

/** An operation of a model that the checks have let through. */
export interface Draft {
  readonly payload: Payload
  readonly subject: string
  readonly quotes: readonly CheckedQuote[]
  readonly replaced: readonly CurrentClaim[]
  /** `review_required`: a person decides. */
  readonly risk: string | null
  readonly fingerprint: string
  readonly facts: readonly Fact[]
  /** An entity that the graph does not have. */
  readonly newEntity: string | undefined
}

export interface DraftContext {
  readonly needs: DreamingNeeds
  readonly db: Db
  readonly agentId: string
  readonly entities: EntityIndex
}

/** Checks an operation of a model: its quotes, its words, its subject and what it replaces. */
export async function draftOperation(
  context: DraftContext,
  parsed: ParsedOperation,
): Promise<Draft | Fault> {
  const { needs, db, agentId } = context
  const payload = toStagedPayload(parsed)
  const { operation, evidence } = parsed
  const claim = await findTargetClaim(context, readText(payload, 'attribute_id'))
  const endsValue =
    operation.startsWith('archive') || readText(payload, 'value', 'new_value') === ''
  const provenance = await findProvenanceFault(context, parsed)
  if (provenance !== undefined) return provenance
  const quotes = await checkQuotes(needs, db, { agentId, evidence, endsValue })
  if (typeof quotes === 'string') return quotes
  const { subject, entity } = findSubject(context, { payload, claim })
  const entityIds = entity ? [entity.id] : claim ? [claim.entityId] : []
  const claims = await readClaims(needs, db, { agentId, entityIds })
  const replaced = listReplacedClaims(operation, payload, claims)
  const fault = findWordFault({ operation, payload, quotes, subject, entity, context, replaced })
  if (fault !== undefined) return fault
  const identity = identify({ operation, payload, subject, claim })
  const fingerprint = fingerprintOf(identity)
  return {
    payload,
    subject,
    quotes,
    replaced,
    risk: findRisk({ operation, quotes, replaced, risk: parsed.risk }),
    fingerprint,
    facts: claimWrites.has(operation)
      ? quotes.map((quote) => toFact(quote, { ...identity, fingerprint }))
      : [],
    newEntity: entity || subject === '' || claim ? undefined : subject,
  }
}

async function findTargetClaim({ needs, db, agentId }: DraftContext, id: string) {
  if (id === '') return undefined
  const [claim] = await needs.knowledge.ledger.listClaimsById(db, agentId, [id])
  return claim
}

type TargetClaim = Awaited<ReturnType<typeof findTargetClaim>>

/** Removals rest on attention that was pending before; a model cannot flag its own target. */
async function findProvenanceFault(
  { db, agentId }: DraftContext,
  parsed: ParsedOperation,
): Promise<Fault | undefined> {
  const { provenance, evidence, operation } = parsed
  if (provenance === undefined) {
    if (structureRemovals.has(operation) || (parsed.request && evidence.length === 0))
      return 'provenance: Name the pending attention item: attention:<id>.'
    return undefined
  }
  const id = /^attention:([^$\s]\S*)$/.exec(provenance)?.[1]
  const item = id === undefined ? undefined : await findAttention(db, agentId, id)
  if (item?.state !== 'pending') return `provenance: ${provenance} is not pending.`
  const needsTarget = structureRemovals.has(operation) || evidence.length === 0
  if (needsTarget && !isAbout(item, listTargets(parsed)))
    return `provenance: The attention item is about ${item.subjectRef}.`
  return undefined
}

interface Target {
  readonly payload: Payload
  readonly claim: TargetClaim
}

function findSubject({ entities }: DraftContext, { payload, claim }: Target) {
  const name = readText(payload, 'entity', 'name', 'source_entity', 'target', 'target_entity')
  const id = readText(payload, 'entity_id', 'source_entity_id', 'target_id', 'target_entity_id')
  const entity = entities.find(id, name)
  return { subject: entity?.name ?? (name || (claim?.entity ?? '')), entity }
}

interface Words {
  readonly operation: string
  readonly payload: Payload
  readonly quotes: readonly CheckedQuote[]
  readonly subject: string
  readonly entity: NamedEntity | undefined
  readonly context: DraftContext
  readonly replaced: readonly CurrentClaim[]
}

/** A value is made of words of its quotes, and its source speaks of its subject. */
function findWordFault(words: Words): Fault | undefined {
  const { payload, quotes, subject, entity, context } = words
  if (quotes.length === 0) return undefined
  const values = ['value', 'new_value', 'new_name', 'content'].map((name) =>
    readText(payload, name),
  )
  const isNewName = !entity && readText(payload, 'name') !== ''
  const texts = quotes.map(({ reading }) => reading.words)
  for (const value of [...values, isNewName ? subject : ''])
    if (value !== '') {
      const fault = findGroundingFault(value, texts)
      if (fault !== undefined) return `not_grounded: ${fault}`
    }
  const { user = '' } = context.needs.config()
  const ends = [
    entity ? [entity.name, ...entity.aliases] : [subject],
    listNames(context, payload),
  ].filter(([name = '']) => name !== '')
  const absent = ends.find((names) => !speaksOf(quotes, { names, user }))
  return absent ? `wrong_subject: The source does not speak of ${absent[0]}.` : undefined
}

/** The names of the other end of a link. */
function listNames({ entities }: DraftContext, payload: Payload): string[] {
  if (readText(payload, 'link_type') === '') return []
  const name = readText(payload, 'target_entity')
  const entity = entities.find(readText(payload, 'target_entity_id'), name)
  return entity ? [entity.name, ...entity.aliases] : [name]
}

interface Risky extends Pick<Words, 'operation' | 'quotes' | 'replaced'> {
  readonly risk: string | null
}

/** What only a person may decide: doubtful sentences, foreign words against own ones, policies. */
function findRisk({ operation, quotes, replaced, risk }: Risky): string | null {
  const isGuarded = quotes.some(({ reading }) => reading.guard !== undefined)
  const isExternal = quotes.length > 0 && quotes.every(({ source }) => source.trust === 'external')
  const isOwn = replaced.some(
    ({ citations }) => citations.length === 0 || citations.some(({ trust }) => trust === 'own'),
  )
  const isUnnamed =
    operation === 'archive_claim_value' &&
    quotes.length > 0 &&
    replaced.some(
      ({ value }) =>
        findGroundingFault(
          value,
          quotes.map(({ reading }) => reading.words),
        ) !== undefined,
    )
  const isDoubtful =
    isGuarded ||
    (isExternal && isOwn) ||
    isUnnamed ||
    replaced.some(({ pinned }) => pinned) ||
    operation === 'create_policy' ||
    risk === 'review_required'
  return isDoubtful ? 'review_required' : null
}

interface Identified extends Target {
  readonly operation: string
  readonly subject: string
}

/** The same identity as that of the rules, so that what a person removed stays removed. */
function identify({ operation, payload, subject, claim }: Identified) {
  const value = readText(payload, 'value', 'new_value')
  if (claimWrites.has(operation) && value !== '') {
    const aspect = toCanonicalName(readText(payload, 'aspect', 'aspect_id'))
    const slot = `${aspect}/${readText(payload, 'claim_key')}`
    return { family: 'claim' as const, subject, slot, value }
  }
  if (claim) {
    const { aspect, claimKey, content } = claim
    return { family: 'end' as const, subject, slot: `${aspect}/${claimKey}`, value: content }
  }
  return { family: 'claim' as const, subject, slot: operation, value: JSON.stringify(payload) }
}

function toFact(
  { cited, source, start, reading }: CheckedQuote,
  identity: ReturnType<typeof identify> & { readonly fingerprint: string },
): Fact {
  const { sourceKind, sourceId, quote } = cited
  return {
    sourceKind,
    sourceId,
    fingerprint: identity.fingerprint,
    family: identity.family,
    subject: toCanonicalName(identity.subject),
    slot: identity.slot,
    value: hashValue(identity.value),
    start,
    length: quote.length,
    session: source.session,
    assertedAt: source.sourceTime,
    ownWord: reading.isFirstPerson,
  }
}
