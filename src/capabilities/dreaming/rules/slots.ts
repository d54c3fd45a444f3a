import type { Slot } from './statement.ts'

const one = (aspect: string, key: string): Slot => ({ aspect, key, cardinality: 'one' })
const many = (aspect: string, key: string): Slot => ({ aspect, key, cardinality: 'many' })

/** The slots that frames name. */
const slots: Readonly<Record<string, Slot>> = {
  lives_in: one('location', 'lives_in'),
  works_at: one('work', 'works_at'),
  role: one('work', 'role'),
  prefers: many('preferences', 'prefers'),
  allergic_to: many('health', 'allergic_to'),
  speaks: many('languages', 'speaks'),
  uses: many('tools', 'uses'),
  depends_on: many('dependencies', 'depends_on'),
  decision: many('decisions', 'decision'),
  language: one('properties', 'language'),
  deployed_on: one('properties', 'deployed_on'),
  owner: one('properties', 'owner'),
  database: one('properties', 'database'),
  deadline: one('properties', 'deadline'),
  port: one('properties', 'port'),
  production_port: one('properties', 'production_port'),
  staging_port: one('properties', 'staging_port'),
  version: one('properties', 'version'),
  alias: many('names', 'alias'),
}

/** Aspects with slots of one value. */
export const singleAspects = [
  ...new Set(
    Object.values(slots).flatMap(({ aspect, cardinality }) =>
      cardinality === 'one' ? aspect : [],
    ),
  ),
]

/** Whether a slot has one value at a time. Properties have; other slots do by their table. */
export function isSingle(aspect: string, key: string): boolean {
  if (aspect === 'properties') return true
  return Object.values(slots).some(
    (slot) => slot.cardinality === 'one' && slot.aspect === aspect && slot.key === key,
  )
}

/** Another name is no value of the graph: a person decides on it. */
export function isAlias({ aspect, key }: Slot): boolean {
  return aspect === 'names' && key === 'alias'
}

/** Nouns that name a slot of their own. */
const nounSlots: Readonly<Record<string, string>> = {
  employer: 'works_at',
  company: 'works_at',
  role: 'role',
  owner: 'owner',
  language: 'language',
  database: 'database',
  deployed_on: 'deployed_on',
  deadline: 'deadline',
}

export function findSlot(name: string): Slot | undefined {
  return Object.hasOwn(slots, name) ? slots[name] : undefined
}

/** The slot of a property, by its noun. */
export function slotOfNoun(noun: string): Slot {
  const name = Object.hasOwn(nounSlots, noun) ? nounSlots[noun] : undefined
  return findSlot(name ?? '') ?? one('properties', noun.replaceAll(/[\s-]+/g, '_'))
}

const reviewMs = 90 * 24 * 3_600_000
const shortLived = /(?:^|_)(?:port|version|status|on_call)$/
const dated = /(?:^|_)(?:deadline|date)$/

/** When a value should be looked at again. */
export function reviewTime(slot: Slot, value: string, assertedAt: string): string | undefined {
  if (dated.test(slot.key)) {
    const day = /^\d{4}-\d{2}-\d{2}$/.exec(value.trim())?.[0]
    const time = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
    return Number.isNaN(time) ? undefined : new Date(time).toISOString()
  }
  if (!shortLived.test(slot.key)) return undefined
  return new Date(Date.parse(assertedAt) + reviewMs).toISOString()
}
