import { hash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { claimOf, contentOf, linkOf, type Operation, type Size } from './graph.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows of a transaction. */
const partLength = 50_000
const fastPragmas = ['synchronous = off', 'cache_size = -500000', 'temp_store = memory']

/**
 * Fills the database of a stopped daemon. Rows of real operations are the templates, so that the
 * seed follows the schema. Audit rows and undo images are not written.
 */
class Seed {
  readonly #sqlite: Sqlite.Database
  readonly #inserts = new Map<string, Sqlite.Statement>()
  readonly #prefix: string
  #lastId = 0

  constructor(file: string, prefix: string) {
    this.#sqlite = new Sqlite(file)
    this.#prefix = prefix
    for (const pragma of fastPragmas) this.#sqlite.pragma(pragma)
  }

  read(query: string, ...values: readonly unknown[]): Row[] {
    return this.#sqlite.prepare<unknown[], Row>(query).all(...values)
  }

  readOne(query: string, ...values: readonly unknown[]): Row {
    const [row] = this.read(query, ...values)
    if (!row) throw new Error(`There is no template for ${query}`)
    return row
  }

  /** Ordered by time, as those of the daemon. */
  newId(): string {
    this.#lastId += 1
    const digits = this.#lastId.toString(16).padStart(12, '0')
    return `${this.#prefix}-${digits.slice(0, 4)}-7000-8000-${digits.slice(4)}0000`
  }

  insert(table: string, row: Row): void {
    let statement = this.#inserts.get(table)
    if (!statement) {
      const columns = this.read(
        `select name from pragma_table_xinfo('${table}') where hidden = 0 and name <> 'position'`,
      ).map(({ name }) => String(name))
      const values = columns.map((name) => `@${name}`)
      statement = this.#sqlite.prepare(
        `insert or ignore into ${table} (${columns}) values (${values})`,
      )
      this.#inserts.set(table, statement)
    }
    statement.run(row)
  }

  run(query: string): void {
    this.#sqlite.exec(query)
  }

  each(from: number, to: number, write: (number: number) => void): void {
    const writePart = this.#sqlite.transaction((first: number) => {
      for (let number = first; number < Math.min(to, first + partLength); number++) write(number)
    })
    for (let first = from; first < to; first += partLength) writePart(first)
  }

  close(): void {
    this.run('update memory_revision set value = (select max(revision) from memories)')
    this.#sqlite.close()
  }
}

/** The daemon has stored memory 0. */
export function seedMemories(file: string, size: Size): void {
  const seed = new Seed(file, '01a30000')
  const template = seed.readOne('select * from memories')
  const history = seed.readOne('select * from memory_history')
  seed.each(1, size.memories, (number) => {
    const [id, content] = [seed.newId(), contentOf(number, size)]
    const content_hash = hash('sha256', content)
    seed.insert('memories', { ...template, id, content, content_hash, revision: number + 1 })
    seed.insert('memory_history', { ...history, id: seed.newId(), memory_id: id })
  })
  seed.close()
}

/** The ids of memories, in order. */
export function listMemoryIds(file: string): string[] {
  const sqlite = new Sqlite(file, { readonly: true })
  const rows = sqlite
    .prepare<[], { readonly id: string }>(
      `select id from memories where memory_kind <> 'derived' order by position`,
    )
    .all()
  sqlite.close()
  return rows.map(({ id }) => id)
}

/** The daemon has applied claim 0 and link 0. */
export function seedGraph(file: string, size: Size): void {
  const memoryIds = listMemoryIds(file)
  const seed = new Seed(file, '01a30001')
  const graph = new GraphSeed(seed)
  seed.each(1, size.claims, (number) => graph.claim(claimOf(number, size, memoryIds)))
  seed.each(1, 2 * size.entities, (number) => graph.link(linkOf(number, size)))
  seed.run(
    `update entities set mentions =
       (select count(*) from memory_entity_mentions where entity_id = entities.id)`,
  )
  seed.close()
}

/** Clones the rows of the template entity, claim and link. */
class GraphSeed {
  readonly #seed: Seed
  readonly #template: ReturnType<typeof readTemplates>
  readonly #entities: Map<string, string>
  readonly #aspects: Map<string, string>
  #revision: number

  constructor(seed: Seed) {
    this.#seed = seed
    this.#template = readTemplates(seed)
    const { claim, aspect } = this.#template
    this.#aspects = new Map([[`${claim['entity_id']} ${aspect['name']}`, String(aspect['id'])]])
    const entities = seed.read('select id, name from entities')
    this.#entities = new Map(entities.map(({ id, name }) => [String(name), String(id)]))
    this.#revision = Number(
      seed.readOne('select max(revision) as revision from memories')['revision'],
    )
  }

  claim({ payload, evidence = [] }: Operation): void {
    const { entity, aspect, claim_key, value } = payload as Readonly<Record<string, string>>
    const [memoryId = ''] = evidence.map((item) => String(Object(item)['memory_id']))
    const entityId = this.#findEntity(String(entity), memoryId)
    const id = this.#seed.newId()
    this.#seed.insert('entity_attributes', {
      ...this.#template.claim,
      id,
      entity_id: entityId,
      aspect_id: this.#findAspect(entityId, String(aspect), memoryId),
      memory_id: id,
      content: value,
      normalized_content: String(value).toLowerCase(),
      claim_key: String(claim_key).replace(' ', '_'),
      version_root_id: id,
    })
    this.#cite('claim', id, memoryId)
    const mention = { ...this.#template.mention, memory_id: memoryId, entity_id: entityId }
    this.#seed.insert('memory_entity_mentions', mention)
    this.#insertDerived(id, value)
  }

  link({ payload }: Operation): void {
    const { source_entity, target_entity } = payload as Readonly<Record<string, string>>
    const [source_entity_id, target_entity_id] = [source_entity, target_entity].map((name) =>
      this.#entities.get(String(name)),
    )
    const id = this.#seed.newId()
    const { link, linkCitation } = this.#template
    this.#seed.insert('entity_dependencies', { ...link, source_entity_id, target_entity_id, id })
    this.#seed.insert('knowledge_citations', { ...linkCitation, subject_id: id })
  }

  #insertDerived(id: string, content: unknown): void {
    this.#revision += 1
    this.#seed.insert('memories', {
      ...this.#template.derived,
      id,
      source_id: id,
      content,
      content_hash: `semantic-attribute:${id}`,
      revision: this.#revision,
    })
    const event = { ...this.#template.history, id: this.#seed.newId(), memory_id: id }
    this.#seed.insert('memory_history', event)
  }

  #findEntity(name: string, memoryId: string): string {
    const known = this.#entities.get(name)
    if (known !== undefined) return known
    const id = this.#seed.newId()
    const phrase = name.toLowerCase()
    this.#entities.set(name, id)
    const { entity, name: entityName, word: nameWord } = this.#template
    this.#seed.insert('entities', { ...entity, id, name, canonical_name: phrase })
    this.#seed.insert('entity_names', { ...entityName, phrase, entity_id: id })
    for (const word of phrase.split(' '))
      this.#seed.insert('entity_name_words', { ...nameWord, word, entity_id: id })
    this.#cite('entity', id, memoryId)
    return id
  }

  #findAspect(entityId: string, name: string, memoryId: string): string {
    const key = `${entityId} ${name}`
    const known = this.#aspects.get(key)
    if (known !== undefined) return known
    const id = this.#seed.newId()
    this.#aspects.set(key, id)
    const aspect = { ...this.#template.aspect, id, entity_id: entityId, name }
    this.#seed.insert('entity_aspects', { ...aspect, canonical_name: name })
    this.#cite('aspect', id, memoryId)
    return id
  }

  #cite(subject_type: string, subject_id: string, source_id: string): void {
    const citation = { ...this.#template.citation, subject_type, subject_id, source_id }
    this.#seed.insert('knowledge_citations', citation)
  }
}

function readTemplates(seed: Seed) {
  const derived = seed.readOne(`select * from memories where memory_kind = 'derived'`)
  const claim = seed.readOne('select * from entity_attributes where id = ?', derived['id'])
  const { entity_id: entityId, aspect_id: aspectId } = claim
  const ofEntity = (table: string) =>
    seed.readOne(`select * from ${table} where entity_id = ?`, entityId)
  const citationOf = (type: string) =>
    seed.readOne('select * from knowledge_citations where subject_type = ?', type)
  return {
    claim,
    derived,
    entity: seed.readOne('select * from entities where id = ?', entityId),
    name: ofEntity('entity_names'),
    word: ofEntity('entity_name_words'),
    aspect: seed.readOne('select * from entity_aspects where id = ?', aspectId),
    mention: ofEntity('memory_entity_mentions'),
    citation: citationOf('claim'),
    link: seed.readOne('select * from entity_dependencies'),
    linkCitation: citationOf('link'),
    history: seed.readOne('select * from memory_history where memory_id = ?', derived['id']),
  }
}
