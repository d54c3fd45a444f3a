import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Alias, Entity } from '../entity.ts'
import { parseName } from '../name.ts'
import { findByAlias, listAliases, listNamed } from '../store/entities.ts'
import { insertRows, updateRows } from '../store/images.ts'
import { assertOwnRow } from './entities.ts'
import type { GraphWrite } from './graph-write.ts'
import { graphRefusal } from './refusals.ts'

interface AliasInput {
  readonly alias: string
  readonly confidence: number
  readonly source: string
}

const maxAliases = 50

/** Reactivates an archived alias. An alias that is already in use, or is a name, is refused. */
export async function addAlias(
  write: GraphWrite,
  entity: Entity,
  { alias: input, confidence, source }: AliasInput,
): Promise<Alias> {
  const { db, agentId, at } = write
  assertOwnRow(entity)
  const { name: alias, canonicalName: canonicalAlias } = parseName(input, 'alias')
  const named = await listNamed(db, agentId, canonicalAlias)
  if (named.length > 0 || (await findByAlias(db, agentId, canonicalAlias)))
    throw new Refusal('conflict', 'alias_exists', 'alias already exists')
  const aliases = await listAliases(db, agentId, entity.id)
  if (aliases.filter(({ status }) => status === 'active').length >= maxAliases)
    throw graphRefusal('too_many', { limit: maxAliases })
  write.touched.entities.add(entity.id)
  const known = aliases.find((one) => one.canonicalAlias === canonicalAlias)
  const set = { alias, confidence, source, status: 'active', updatedAt: at } as const
  if (known) {
    await updateRows(write, { table: 'entityAliases', rows: [known] }, set)
    return { ...known, ...set }
  }
  const owner = { id: write.newId(), agentId, entityId: entity.id, canonicalAlias }
  const row: Alias = { ...owner, ...set, createdAt: at, withheldAt: null }
  await insertRows(write, 'entityAliases', [row])
  return row
}

export async function archiveAlias(write: GraphWrite, alias: Alias): Promise<Alias> {
  if (alias.status === 'archived') return alias
  const set = { status: 'archived', updatedAt: write.at } as const
  await updateRows(write, { table: 'entityAliases', rows: [alias] }, set)
  write.touched.entities.add(alias.entityId)
  return { ...alias, ...set }
}
