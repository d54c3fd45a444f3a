import { expect, onTestFinished, test } from 'vitest'
import { expireForgotten, listHolding } from '../support/inspect-database.ts'
import { inspectGraph, listOldNames } from '../support/inspect-graph.ts'
import { sampleRounds } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { type Service, startService } from '../support/start-service.ts'

const pollOptions = { timeout: 20_000, interval: 100 }

const post = (service: Pick<Service, 'ask'>, path: string, body: object = {}) =>
  service.ask(`POST ${path}`, { body })

const apply = (service: Pick<Service, 'ask'>, operation: string, payload: object, more = {}) =>
  post(service, '/api/ontology/operations/apply', { operation, payload, ...more })

async function remember(service: Pick<Service, 'ask'>, content: string) {
  return String((await post(service, '/api/memory/remember', { content })).body['id'])
}

const sweep = (service: Pick<Service, 'ask'>) =>
  service.ask('POST /api/repair/retention-sweep', { role: 'admin', body: {} })

/** Changes of every kind, again and again, until the daemon is gone. */
async function changeUntilGone(service: Service, round: number, answered: () => void) {
  const client = async (client: number) => {
    for (let step = 0; ; step++) {
      const word = `r${round}c${client}s${step}`
      const [one, two] = [`Skerry ${word}`, `Ledge ${word}`]
      const id = await remember(service, `${one} has a lamp.`)
      answered()
      const evidence = [{ memory_id: id }]
      const slot = (entity: string, value: string) => ({
        operation: 'set_claim_value',
        payload: { entity, aspect: 'parts', claim_key: 'lamp', value },
        evidence,
      })
      const first = slot(one, `lamp ${word}`)
      await apply(service, first.operation, first.payload, { evidence })
      answered()
      const operations = Array.from({ length: 20 }, (_, at) => slot(two, `lamp ${word} ${at}`))
      await post(service, '/api/ontology/operations/batch', { operations })
      answered()
      const sources = [two]
      const merged = await apply(service, 'merge_entities', { target: one, sources })
      answered()
      await service.ask(`DELETE /api/memory/${id}?reason=test&force=true`)
      answered()
      await post(service, `/api/memory/${id}/recover`, { reason: 'test' })
      answered()
      await post(service, `/api/ontology/proposals/${merged.body['id']}/undo`)
      answered()
      const lost = await remember(service, `${two} has a horn.`)
      const { payload } = slot(two, `horn ${word}`)
      await apply(service, 'set_claim_value', payload, { evidence: [{ memory_id: lost }] })
      await service.ask(`DELETE /api/memory/${lost}?reason=test&force=true`)
      answered()
      // Purges what earlier rounds forgot.
      if (client === 0) await sweep(service)
      answered()
    }
  }
  const clients = Array.from({ length: 4 }, (_, at) => client(at))
  await Promise.allSettled(clients)
}

test('a daemon that is killed amid changes of the graph leaves none half done', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())

  for (const round of sampleRounds(
    Array.from({ length: 15 }, (_, at) => at + 1),
    2,
  )) {
    let count = 0
    await changeUntilGone(service, round, () => {
      if (++count === 9 + round * 7) service.signal('SIGKILL')
    })
    await service.kill()

    expect(inspectGraph(workspace)).toEqual([])
    expireForgotten(workspace)
    await service.restart()
  }

  // The graph is counted after the start.
  const status = async () =>
    JSON.stringify((await service.ask('GET /api/status', { role: 'admin' })).body)
  await expect.poll(status, pollOptions).toContain('"claimsWithoutCitation":0')
})

test('a purged memory leaves no word of it in the graph, also after a restart', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())
  const word = 'umbrage'
  const id = await remember(service, `The Skerry ${word} needs oil. Ask [[Ledge ${word}]].`)
  const evidence = [{ memory_id: id, quote: `The Skerry ${word} needs oil` }]
  const change = async (operation: string, payload: object, path = 'operations/apply') => {
    const reply = await post(service, `/api/ontology/${path}`, { operation, payload, evidence })
    expect([operation, reply.status]).toEqual([operation, path === 'proposals' ? 201 : 200])
    return String(reply.body['id'])
  }
  const slot = { entity: `Skerry ${word}`, aspect: `care of ${word}`, claim_key: word }
  for (const value of ['oil', 'wax', 'tar'])
    await change('set_claim_value', { ...slot, value: `${value} for the ${word}` })
  await change('create_entity', { name: `Ledge ${word}`, description: `near the ${word}` })
  const ends = { source_entity: slot.entity, target_entity: `Ledge ${word}`, link_type: 'uses' }
  await change('create_link', { ...ends, reason: `the ${word} does` })
  const sources = [`Ledge ${word}`]
  const merge = await change('merge_entities', { target: slot.entity, sources })
  expect((await post(service, `/api/ontology/proposals/${merge}/undo`)).status).toBe(200)
  await change('rename_entity', { entity: `Ledge ${word}`, new_name: `Cape ${word}` })
  await change('add_claim_value', { ...slot, value: `never oil the ${word}` }, 'proposals')
  await post(service, '/api/ontology/extract', { from: `memory:${id}`, write_proposals: true })
  const said = { entity: slot.entity, content: `the ${word} creaks`, evidence }
  expect((await post(service, '/api/ontology/assertions', said)).status).toBe(201)
  const exported = async () => JSON.stringify((await service.ask('GET /api/ontology/export')).body)
  expect(await exported()).toContain(word)
  expect(listHolding(workspace, word)).toEqual(
    expect.arrayContaining(['entities', 'ontology_changes', 'ontology_proposals']),
  )

  await service.ask(`DELETE /api/memory/${id}?reason=test&force=true`)
  expect(await exported()).not.toContain(word)
  await service.kill()
  expireForgotten(workspace)
  await service.restart()
  expect(await exported()).not.toContain(word)
  expect((await sweep(service)).status).toBe(200)

  await expect.poll(() => listHolding(workspace, word), pollOptions).toEqual([])
  await service.restart()
  expect(listHolding(workspace, word)).toEqual([])
  expect(await exported()).not.toContain(word)
})

test('an agent that is purged, and an entity that is renamed, survive a kill', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())
  const fill = async (agent: string) => {
    const operations = Array.from({ length: 100 }, (_, at) => ({
      operation: 'add_claim_value',
      payload: { entity: 'Skerry', aspect: 'parts', claim_key: `part ${at}`, value: `brass ${at}` },
    }))
    for (const part of ['one', 'two', 'three'])
      await service.ask('POST /api/ontology/operations/batch', {
        agent,
        body: {
          operations: operations.map(({ operation, payload }) => ({
            operation,
            payload: { ...payload, aspect: part },
          })),
        },
      })
  }
  await service.ask('POST /api/agents', { body: { name: 'gone' } })
  for (const agent of ['ada', 'gone']) await fill(agent)
  let name = 'Skerry'
  for (const afterMs of sampleRounds([500, 5, 10, 20, 40, 60, 80, 120, 160, 200], 1)) {
    const new_name = `Ledge ${afterMs}`
    const renamed = service.ask('POST /api/ontology/operations/apply', {
      agent: 'ada',
      body: { operation: 'rename_entity', payload: { entity: name, new_name } },
    })
    const purged = service.ask('DELETE /api/agents/gone?purge=true', { role: 'admin' })
    await Promise.race([
      Promise.allSettled([renamed, purged]),
      new Promise((resolve) => setTimeout(resolve, afterMs)),
    ])
    await service.kill()
    await Promise.allSettled([renamed, purged])

    expect(inspectGraph(workspace)).toEqual([])
    await service.restart()
    await expect.poll(() => listOldNames(workspace), pollOptions).toEqual([])
    const found = await service.ask(
      `GET /api/knowledge/navigation/entity?name=${encodeURIComponent(new_name)}`,
      { agent: 'ada' },
    )
    if (found.status === 200) name = new_name
  }
  expect(name).not.toBe('Skerry')
})

test('two daemons on one server apply once, create one, and lose nothing in a merge', async () => {
  const { url, stop } = await startPostgres()
  onTestFinished(() => stop())
  const start = async () => {
    const service = await startService({ engine: 'sqlite', config: { database: { url } } })
    onTestFinished(() => service.stop())
    return service
  }
  await race([await start(), await start()])
})

test('sixteen calls at once apply once, create one, and lose nothing in a merge', async () => {
  const service = await startService()
  onTestFinished(() => service.stop())
  await race([service])
})

/** Each call goes to the next daemon. */
async function race(services: readonly Service[]) {
  const [service] = services
  if (!service) return
  const sixteen = <Result>(call: (service: Service, at: number) => Promise<Result>) =>
    Promise.all(
      Array.from({ length: 16 }, (_, at) => call(services[at % services.length] ?? service, at)),
    )
  const claim = { aspect: 'parts', claim_key: 'lamp' }
  const created = await sixteen((one) => apply(one, 'create_entity', { name: 'Skerry Light' }))
  const ids = created.map(({ body }) => (body['result'] as { entityId: string }).entityId)
  expect([created.map(({ status }) => status), new Set(ids).size]).toEqual([Array(16).fill(200), 1])

  const payload = { entity: 'Skerry Light', ...claim, value: 'brass' }
  const { body } = await post(service, '/api/ontology/proposals', {
    operation: 'add_claim_value',
    payload,
  })
  const applied = await sixteen((one) => post(one, `/api/ontology/proposals/${body['id']}/apply`))
  expect(applied.map(({ status }) => status).toSorted()).toEqual([200, ...Array(15).fill(409)])

  for (const round of sampleRounds([1, 2, 3], 1)) {
    const source = `Ledge ${round}`
    await apply(service, 'create_entity', { name: source })
    const replies = await sixteen((one, at) =>
      at === 7
        ? apply(one, 'merge_entities', { target: 'Skerry Light', sources: [source] })
        : apply(one, 'add_claim_value', {
            entity: source,
            aspect: `round ${round}`,
            claim_key: `key ${at}`,
            value: `value ${at} of ${round}`,
          }),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(16).fill(200))
    const { body: tree } = await service.ask(
      'GET /api/knowledge/navigation/tree?entity=Skerry+Light&depth=3&max_claims=200&max_aspects=50',
    )
    const text = JSON.stringify(tree)
    const lost = Array.from({ length: 16 }, (_, at) => at).filter(
      (at) => at !== 7 && !text.includes(`key_${at}"`),
    )
    expect(lost).toEqual([])
  }
}
