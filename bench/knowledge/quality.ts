// usage: node bench/knowledge/quality.ts
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, start, stop } from '../support/daemon.ts'
import { timeCalls } from '../support/timing.ts'
import { nameOf } from './graph.ts'

const entities = 200
const keys = 'region port owner language backup license protocol budget reviewer schedule'.split(
  ' ',
)
const values =
  'amber basalt cedar dune ember fjord granite heather iris juniper kelp larch moss nettle'.split(
    ' ',
  )
const distractors = 2_000
const print = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)

/** Nicknames that no memory holds. */
const aliasOf = (entity: number) => nameOf(7_000 - entity).replace('Tarn', 'The Old')
/** Every entity depends on one other. */
const targetOf = (entity: number) => (entity * 7 + 3) % entities

interface Fact {
  readonly entity: number
  readonly key: string
  readonly text: string
}

const facts: readonly Fact[] = Array.from({ length: entities }, (_, entity) =>
  keys.map((key, at) => {
    const value = `${values[(entity + at) % values.length]} ${entity * 10 + at}`
    return { entity, key, text: `The ${key} of ${nameOf(entity)} is ${value}.` }
  }),
).flat()

const questions: Readonly<Record<string, (fact: Fact) => readonly [text: string, answer: Fact]>> = {
  direct: (fact) => [`What is the ${fact.key} of ${nameOf(fact.entity)}?`, fact],
  'by alias': (fact) => [`What is the ${fact.key} of ${aliasOf(fact.entity)}?`, fact],
  'over a link': (fact) => [
    `What is the ${fact.key} of the service that ${nameOf(fact.entity)} depends on?`,
    facts[targetOf(fact.entity) * keys.length + keys.indexOf(fact.key)] ?? fact,
  ],
}

/** The fact of each memory, and of each claim that cites it. */
type Known = Map<string, Fact>

print(['recall@5', 'without the graph', 'with the graph', 'points'])
print(['---', '---', '---', '---'])
await inWorkspace(async (workspace) => {
  const known: Known = new Map()
  const build = await start(workspace)
  await fill(throwOnError(createClient(build.daemon.url)), known)
  const withGraph = await measure(throwOnError(createClient(build.daemon.url)), known)
  await stop(build.daemon)
  const memory = { pipelineV2: { traversal: { enabled: false } } }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify({ memory }))
  const plain = await start(workspace)
  const call = throwOnError(createClient(plain.daemon.url))
  await hideClaims(call)
  const without = await measure(call, known)
  await stop(plain.daemon)
  for (const [kind, share] of Object.entries(withGraph)) {
    const base = without[kind] ?? 0
    print([kind, base.toFixed(1), share.toFixed(1), (share - base).toFixed(1)])
  }
})

async function fill(call: Call, known: Known): Promise<void> {
  const ids: string[] = []
  await timeCalls({ count: facts.length + distractors, clients: 8 }, async (number) => {
    const fact = facts[number]
    const entity = nameOf(number % entities)
    const content =
      fact?.text ??
      `${entity} was discussed with ${values[number % values.length]} on day ${number}.`
    const { body } = await call('POST /api/memory/remember', { content })
    ids[number] = String(body['id'])
    if (fact) known.set(String(body['id']), fact)
  })
  for (let entity = 0; entity < entities; entity++) await writeEntity(call, { entity, ids, known })
  const links = Array.from({ length: entities }, (_, entity) => ({
    operation: 'create_link',
    payload: {
      source_entity: nameOf(entity),
      target_entity: nameOf(targetOf(entity)),
      link_type: 'depends_on',
      strength: 1,
    },
  })).filter(({ payload }) => payload.source_entity !== payload.target_entity)
  for (let at = 0; at < links.length; at += 100)
    await call('POST /api/ontology/operations/batch', { operations: links.slice(at, at + 100) })
}

interface Entity {
  readonly entity: number
  readonly ids: readonly string[]
  readonly known: Known
}

async function writeEntity(call: Call, { entity, ids, known }: Entity): Promise<void> {
  const own = facts.slice(entity * keys.length, (entity + 1) * keys.length)
  const operations = own.map(({ key, text }, at) => ({
    operation: 'add_claim_value',
    payload: { entity: nameOf(entity), aspect: 'service', claim_key: key, value: text },
    evidence: [{ memory_id: ids[entity * keys.length + at], quote: text }],
  }))
  const { body } = await call('POST /api/ontology/operations/batch', { operations })
  const items = body['items'] as readonly { result: { attributeId: string; entityId: string } }[]
  for (const [at, { result }] of items.entries()) {
    const fact = own[at]
    if (fact) known.set(result.attributeId, fact)
  }
  const path = `POST /api/ontology/entities/${items[0]?.result.entityId}/aliases`
  await call(path, { alias: aliasOf(entity) })
}

/** Without the graph there are no derived memories of its claims. */
async function hideClaims(call: Call): Promise<void> {
  for (let entity = 0; entity < entities; entity++)
    await call('POST /api/ontology/operations/apply', {
      operation: 'archive_entity',
      payload: { entity: nameOf(entity), force: true },
    })
}

async function measure(call: Call, known: Known): Promise<Record<string, number>> {
  const shares: Record<string, number> = {}
  for (const [kind, ask] of Object.entries(questions)) {
    let found = 0
    const chosen = facts.filter((_, at) => at % 7 === 0)
    await timeCalls({ count: chosen.length, clients: 2 }, async (number) => {
      const [query, answer] = ask(chosen[number] as Fact)
      const { body } = await call('POST /api/memory/recall', { query, limit: 5 })
      const results = (body['results'] as readonly { id: string }[]).slice(0, 5)
      if (results.some(({ id }) => known.get(id) === answer)) found += 1
    })
    shares[kind] = (100 * found) / chosen.length
  }
  return shares
}
