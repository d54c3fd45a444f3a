import type { z } from 'zod'
import type { Db } from '../../../kernel/db/database.ts'
import { type Aspect, maxAspects } from '../aspect.ts'
import { defaultGroup } from '../claim.ts'
import type { Entity } from '../entity.ts'
import { listNamedLinks } from '../store/links.ts'
import { listAspects, listBest } from '../store/slots.ts'
import { describeEntity } from './read-entities.ts'
import type { expandReply } from './replies.ts'
import { resolveAspect, resolveEntity } from './resolve.ts'

interface ExpandRequest {
  readonly entity: string
  readonly aspect: string | undefined
  readonly maxTokens: number
}

const charactersPerToken = 4
const maxClaims = 500
const maxLinks = 50

/** What is known of an entity as text, the important claims first, within a number of tokens. */
export async function expandEntity(
  db: Db,
  owner: { readonly agentId: string },
  request: ExpandRequest,
): Promise<z.input<typeof expandReply>> {
  const { entity, aspects } = await chooseAspects(db, owner, request)
  const lines = await listLines(db, entity, aspects)
  const room = request.maxTokens * charactersPerToken
  let text = ''
  const shownLines = lines.filter((line) => {
    const next = text === '' ? line : `${text}\n${line}`
    if (next.length > room) return false
    text = next
    return true
  })
  return {
    entity: await describeEntity(db, entity),
    text,
    tokens: Math.ceil(text.length / charactersPerToken),
    truncated: shownLines.length < lines.length,
  }
}

async function chooseAspects(
  db: Db,
  owner: { readonly agentId: string },
  { entity: name, aspect }: ExpandRequest,
) {
  if (aspect !== undefined) {
    const resolved = await resolveAspect(db, owner, { entity: name, aspect })
    return { entity: resolved.entity, aspects: [resolved.aspect] }
  }
  const entity = await resolveEntity(db, owner, name)
  const page = { entityId: entity.id, limit: maxAspects }
  return { entity, aspects: await listAspects(db, owner.agentId, page) }
}

async function listLines(
  db: Db,
  entity: Entity,
  aspects: readonly Aspect[],
): Promise<readonly string[]> {
  const { id: entityId, agentId, name, entityType, description } = entity
  const [only, ...more] = aspects
  const aspectId = only && more.length === 0 ? only.id : undefined
  const claims = await listBest(db, agentId, { entityId, aspectId, limit: maxClaims })
  const links = await listNamedLinks(db, agentId, { entityId, direction: 'both', limit: maxLinks })
  const names = new Map(aspects.map((aspect) => [aspect.id, aspect.name]))
  const values = claims.map(({ aspectId, groupKey, claimKey, content, kind }) => {
    const path = [names.get(aspectId) ?? '', groupKey === defaultGroup ? '' : groupKey, claimKey]
    const mark = kind === 'constraint' ? ' (constraint)' : ''
    return `- ${path.filter((part) => part !== '').join(' / ')}${mark}: ${content}`
  })
  const relations = links.map(
    ({ sourceEntityName, dependencyType, targetEntityName }) =>
      `- ${sourceEntityName} ${dependencyType} ${targetEntityName}`,
  )
  const about = description === null ? '' : `: ${description}`
  return [`${name} (${entityType})${about}`, ...values, ...relations]
}
