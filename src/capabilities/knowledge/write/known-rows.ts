import type { Db } from '../../../kernel/db/database.ts'
import type { Aspect } from '../aspect.ts'
import { type Claim, defaultGroup } from '../claim.ts'
import type { Entity } from '../entity.ts'
import { toCanonicalKey, toCanonicalName } from '../name.ts'
import type { SlotKey } from '../store/claims.ts'
import type { Change } from '../store/images.ts'
import { listNamedRows, type NamedSlot } from '../store/named-rows.ts'
import type { Mention } from '../store/rows.ts'

/** Rows that the operations of a batch name, read once at its start. Undefined: not known. */
export interface KnownRows {
  findEntity(canonicalName: string): Entity | undefined
  /** True if no entity has or had this name or alias. */
  isFree(canonicalName: string): boolean
  findAspect(entityId: string, canonicalName: string): Aspect | undefined
  /** Every value of a slot, the newest version first. */
  listSlot(slot: SlotKey): readonly Claim[] | undefined
  countActive(aspectId: string): number | undefined
  /** The memories among these that the entity is linked to. */
  listMentioned(entityId: string, memoryIds: ReadonlySet<string>): readonly string[] | undefined
  /** Makes the rows equal to those of the transaction. */
  applyChange(change: Change): void
  /** For rows that may have been rolled back. */
  clear(): void
}

/** What the operations of a batch name, as they spell it. */
export interface Named {
  readonly slots: readonly (Omit<NamedSlot, 'groupKey'> & { groupKey: string | undefined })[]
  /** Further entities. */
  readonly names: readonly string[]
  readonly memoryIds: readonly string[]
}

export async function readKnownRows(
  db: Db,
  agentId: string,
  { slots, names, memoryIds }: Named,
): Promise<KnownRows> {
  const canonical = slots.map(({ entity, aspect, groupKey = defaultGroup, claimKey }) => ({
    entity: toCanonicalName(entity),
    aspect: toCanonicalName(aspect),
    groupKey: toCanonicalKey(groupKey),
    claimKey: toCanonicalKey(claimKey),
  }))
  const named = [...new Map(canonical.map((slot) => [JSON.stringify(slot), slot])).values()]
  const canonicalNames = [...new Set(names.map(toCanonicalName))]
  const read = await listNamedRows(db, agentId, { slots: named, names: canonicalNames, memoryIds })
  const rows = new Rows(read.entities, read.aspects, memoryIds)
  for (const name of [...named.map(({ entity }) => entity), ...canonicalNames])
    if (!read.takenNames.has(name)) rows.freeNames.add(name)
  for (const { entity, aspect, ...keys } of named) {
    const aspectId = rows.findAspect(rows.findEntity(entity)?.id ?? '', aspect)?.id
    if (aspectId !== undefined) rows.slots.set(keyOf({ aspectId, ...keys }), [])
  }
  for (const value of read.values) rows.slots.get(keyOf(value))?.push(value)
  for (const { id } of read.aspects) rows.counts.set(id, read.counts.get(id) ?? 0)
  for (const { entityId, memoryId } of read.mentions) rows.mentions.get(entityId)?.add(memoryId)
  return rows
}

class Rows implements KnownRows {
  readonly entities: Map<string, Entity>
  readonly aspects: Map<string, Aspect>
  readonly slots = new Map<string, Claim[]>()
  readonly counts = new Map<string, number>()
  /** The linked ones of `memoryIds` for each entity. */
  readonly mentions: Map<string, Set<string>>
  readonly memoryIds: ReadonlySet<string>
  readonly freeNames = new Set<string>()
  /** Aspects that the batch has created: every slot of theirs is known. */
  readonly newAspectIds = new Set<string>()

  constructor(
    entities: readonly Entity[],
    aspects: readonly Aspect[],
    memoryIds: readonly string[],
  ) {
    this.memoryIds = new Set(memoryIds)
    this.mentions = new Map(entities.map(({ id }) => [id, new Set()]))
    this.entities = new Map(entities.map((row) => [row.canonicalName, row]))
    this.aspects = new Map(aspects.map((row) => [aspectKeyOf(row), row]))
  }

  findEntity(canonicalName: string): Entity | undefined {
    return this.entities.get(canonicalName)
  }

  isFree(canonicalName: string): boolean {
    return this.freeNames.has(canonicalName)
  }

  findAspect(entityId: string, canonicalName: string): Aspect | undefined {
    return this.aspects.get(aspectKeyOf({ entityId, canonicalName }))
  }

  listSlot(slot: SlotKey): readonly Claim[] | undefined {
    return this.slots.get(keyOf(slot)) ?? (this.newAspectIds.has(slot.aspectId) ? [] : undefined)
  }

  countActive(aspectId: string): number | undefined {
    return this.counts.get(aspectId)
  }

  listMentioned(entityId: string, memoryIds: ReadonlySet<string>): readonly string[] | undefined {
    const mentioned = this.mentions.get(entityId)
    const ids = [...memoryIds]
    const isKnown = mentioned && ids.every((id) => this.memoryIds.has(id))
    return isKnown ? ids.filter((id) => mentioned.has(id)) : undefined
  }

  applyChange({ table, before, after }: Change): void {
    if (table === 'entityAttributes') this.#applyClaim(toRow(before), toRow(after))
    else if (table === 'memoryEntityMentions') this.#applyMention(toRow(before), toRow(after))
    else if (table === 'entities' && !before) this.#addEntity(toRow(after))
    else if (table === 'entityAspects' && !before) this.#addAspect(toRow(after))
    else if (table === 'entities' || table === 'entityAspects' || table === 'entityAliases')
      this.clear()
  }

  #addEntity(entity: Entity | null): void {
    if (!entity) return
    this.freeNames.delete(entity.canonicalName)
    this.entities.set(entity.canonicalName, entity)
    this.mentions.set(entity.id, new Set())
  }

  #addAspect(aspect: Aspect | null): void {
    if (!aspect) return
    this.aspects.set(aspectKeyOf(aspect), aspect)
    this.counts.set(aspect.id, 0)
    this.newAspectIds.add(aspect.id)
  }

  #applyClaim(before: Claim | null, after: Claim | null): void {
    if (before || !after) {
      for (const claim of [before, after])
        if (claim) {
          this.slots.delete(keyOf(claim))
          this.counts.delete(claim.aspectId)
          this.newAspectIds.delete(claim.aspectId)
        }
      return
    }
    const values = this.listSlot(after)
    if (values) this.slots.set(keyOf(after), [after, ...values].toSorted(byVersion))
    const count = this.counts.get(after.aspectId)
    if (count !== undefined && after.status === 'active') this.counts.set(after.aspectId, count + 1)
  }

  #applyMention(before: Mention | null, after: Mention | null): void {
    if (after && !before) this.mentions.get(after.entityId)?.add(after.memoryId)
    else if (before) this.mentions.delete(before.entityId)
  }

  clear(): void {
    for (const rows of [this.entities, this.aspects, this.slots, this.counts, this.mentions])
      rows.clear()
    this.freeNames.clear()
    this.newAspectIds.clear()
  }
}

/** The image of a row has all its columns. */
function toRow<Row>(image: Change['before']): Row | null {
  return image as Row | null
}

/** The order of `listSlot`. */
function byVersion(one: Claim, other: Claim): number {
  return other.version - one.version || (other.id < one.id ? -1 : 1)
}

function aspectKeyOf({ entityId, canonicalName }: Pick<Aspect, 'entityId' | 'canonicalName'>) {
  return `${entityId} ${canonicalName}`
}

function keyOf({ aspectId, groupKey, claimKey }: SlotKey): string {
  return `${aspectId} ${groupKey} ${claimKey}`
}
