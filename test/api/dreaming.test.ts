import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService({
  config: { memory: { dreaming: { enabled: true } } },
})
afterAll(() => service.stop())
const ask = (operation: string, body?: unknown, more: object = {}) =>
  service.ask(operation, { role: 'admin', ...(body !== undefined && { body }), ...more })

const remember = async (content: string, more: object = {}) => {
  const { status, body } = await ask('POST /api/memory/remember', { content, ...more })
  expect(status).toBe(200)
  return String(body['id'])
}

interface Item {
  readonly position: number
  readonly state: string
  readonly before: string | null
  readonly after: string | null
}

/** Starts a pass and waits until it is over. */
async function dream(body: object = {}) {
  const { status, body: started } = await ask('POST /api/dream/trigger', body)
  expect(status).toBe(202)
  const passId = String(started['passId'])
  const read = async () => (await ask(`GET /api/dream/passes/${passId}`)).body
  await expect
    .poll(async () => Object((await read())['pass']).status, { timeout: 20_000 })
    .not.toBe('running')
  const reply = await read()
  const operations = reply['operations'] as Item[]
  return { passId, pass: Object(reply['pass']), operations }
}

const editorOf = async () => {
  const path = 'entity=Ines%20Calloway&aspect=properties&group=general&claim=editor'
  const { body } = await ask(`GET /api/knowledge/navigation/attributes?${path}&status=active`)
  return ((body['items'] ?? []) as { content: string; status: string }[])
    .filter(({ status }) => status === 'active')
    .map(({ content }) => content)
}

const who = 'Ines Calloway'

test('a preview changes nothing; apply, change and undo follow each other', async () => {
  await remember('My main editor is Kestrel.', { who })
  const status = await ask('GET /api/dream/status')
  expect(status).toMatchObject({ status: 200, body: { enabled: true, blockedBy: null } })
  expect(Number(status.body['episodicTokensPending'])).toBeGreaterThan(0)

  const preview = await dream({ dryRun: true })
  expect(preview.pass).toMatchObject({ status: 'completed', disposition: 'planned', dryRun: true })
  expect(preview.operations).toMatchObject([{ before: null, after: 'Kestrel', state: 'planned' }])
  expect(await editorOf()).toEqual([])

  const applied = await ask(`POST /api/dream/passes/${preview.passId}/apply`, { only: '0' })
  expect(applied).toMatchObject({
    status: 200,
    body: { pass: { disposition: 'applied' }, items: [{ state: 'applied' }] },
  })
  expect(await editorOf()).toEqual(['Kestrel'])
  const same = await dream()
  expect(same.pass).toMatchObject({ status: 'completed', mutationsApplied: 0 })

  await remember('My main editor is Plume now.', { who })
  const changed = await dream()
  expect(changed.operations).toMatchObject([
    { before: 'Kestrel', after: 'Plume', state: 'applied' },
  ])
  expect(await editorOf()).toEqual(['Plume'])
  const undone = await ask(`POST /api/dream/passes/${changed.passId}/undo`, {})
  expect(undone).toMatchObject({ status: 200, body: { undone: [0], kept: [] } })
  expect(await editorOf()).toEqual(['Kestrel'])
  expect(await ask(`POST /api/dream/passes/${changed.passId}/undo`, {})).toMatchObject({
    status: 409,
    body: { code: 'already_undone' },
  })
  expect((await dream()).operations).toEqual([])
  expect(await editorOf()).toEqual(['Kestrel'])
})

test('passes are listed, traced and unknown ones are not found', async () => {
  const { passId } = await dream()
  const { body } = await ask('GET /api/dream/passes?limit=1')
  expect(body).toMatchObject({ items: [{ id: passId }] })
  const older = await ask(`GET /api/dream/passes?limit=5&before=${passId}`)
  expect(JSON.stringify(older.body['items'])).not.toContain(passId)
  expect(await ask(`GET /api/dream/passes/${passId}/tools`)).toMatchObject({
    status: 200,
    body: { passId, items: [] },
  })
  const unknown = await ask('GET /api/dream/passes/none')
  expect(unknown).toMatchObject({ status: 404, body: { error: 'Dreaming pass not found' } })
  const foreign = await ask(`GET /api/dream/passes/${passId}`, undefined, { agent: 'stranger' })
  expect(foreign).toMatchObject({ status: 404, body: unknown.body })
  for (const verb of ['apply', 'discard'])
    expect(await ask(`POST /api/dream/passes/${passId}/${verb}`, {})).toMatchObject({
      status: 409,
      body: { code: 'not_planned' },
    })
  expect(await ask(`POST /api/dream/passes/${passId}/undo`, {})).toMatchObject({
    status: 409,
    body: { code: 'not_applied' },
  })
  expect(await ask(`POST /api/dream/passes/${passId}/cancel`, {})).toMatchObject({
    status: 409,
    body: { code: 'not_running' },
  })
})

test('bad input names its field and writes nothing', async () => {
  const bad = [
    { body: { engine: 'magic' }, error: /engine/ },
    { body: { engine: 'model' }, status: 503, error: /No model is ready/ },
  ]
  for (const { body, status = 400, error } of bad)
    expect(await ask('POST /api/dream/trigger', body)).toMatchObject({
      status,
      body: { error: expect.stringMatching(error) },
    })
  await remember('My main browser is Firefox.', { who })
  const { passId } = await dream({ dryRun: true })
  for (const only of [[99], 'x', [], [-1], '3-1', { a: 1 }])
    expect(await ask(`POST /api/dream/passes/${passId}/apply`, { only })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('only') },
    })
  const { body } = await ask(`POST /api/dream/passes/${passId}/discard`, { only: [0] })
  expect(body).toMatchObject({ rejected: [0], pass: { disposition: 'discarded' } })
  expect((await dream()).operations).toEqual([])
})

test('operations over HTTP are all or nothing, and quote their source exactly', async () => {
  const id = await remember('The Borealis service is owned by Kira Sandoval.')
  const source = { sourceKind: 'memory', sourceId: id, quote: 'owned by Kira Sandoval' }
  const operation = (quote: string) => ({
    operation: 'set_claim_value',
    payload: {
      entityId: 'Borealis',
      aspectId: 'people',
      claimKey: 'owner',
      value: 'Kira Sandoval',
    },
    evidence: [{ ...source, quote }],
  })
  const send = (operations: unknown) => ask('POST /api/dream/operations', { operations })

  for (const operations of [[], 'x', undefined, Array(101).fill(operation(source.quote))])
    expect((await send(operations)).status).toBe(400)
  expect(await send([operation(source.quote), operation('owned by somebody else')])).toMatchObject({
    status: 400,
    body: { ok: false, items: [], error: expect.stringContaining('operations[1]') },
  })
  expect(await send([operation(source.quote)])).toMatchObject({
    status: 200,
    body: { ok: true, items: [{ index: 0, ok: true }] },
  })
  const found = await ask('POST /api/dream/tools/search_entities', { input: { query: 'boreal' } })
  expect(found).toMatchObject({ status: 200, body: { ok: true, items: [{ name: 'Borealis' }] } })
})

test('the registry, the quality report and the queue answer', async () => {
  const { body } = await ask('GET /api/dream/tools')
  expect(body['items']).toHaveLength(14)
  expect(await ask('POST /api/dream/tools/explode', {})).toMatchObject({
    status: 404,
    body: { error: 'Unknown Dreaming capability' },
  })
  expect(await ask('GET /api/dream/quality')).toMatchObject({
    status: 200,
    body: { citationCoverage: { rate: expect.any(Number) } },
  })
  const requeue = (body: object) => ask('POST /api/dream/exclusions/requeue', body)
  expect(await requeue({ sourceKind: 'dream', sourceId: 'x' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('Invalid episodic source kind') },
  })
  expect(await requeue({ sourceKind: 'memory' })).toMatchObject({ status: 400 })
  expect(await requeue({ sourceKind: 'memory', sourceId: 'none' })).toMatchObject({
    status: 404,
    body: { error: 'Dreaming evidence exclusion not found' },
  })
})

test('texts of a session that was bypassed until its end are never evidence', async () => {
  const sessionKey = 'private-talk'
  await dream()
  const hook = (name: string, body: object = {}) =>
    ask(`POST /api/hooks/${name}`, { harness: 'bench', sessionKey, ...body })
  await hook('session-start')
  const note = { who: 'Odile Varga', sessionId: sessionKey }
  await remember('My main editor is Plume.', note)
  await hook('session-checkpoint-extract', { transcript: 'User: The Corvid service uses Redis.' })
  expect(await ask(`POST /api/sessions/${sessionKey}/bypass`, { enabled: true })).toMatchObject({
    body: { bypassed: true },
  })
  expect(await hook('session-end')).toMatchObject({ body: { bypassed: true } })
  expect((await dream()).operations).toEqual([])

  await remember('My main browser is Vivaldi.', { ...note, sessionId: 'open-talk' })
  expect((await dream()).operations).toMatchObject([{ after: 'Vivaldi' }])
})

test('a change that is read before its old value is read again when that one comes', async () => {
  const speaker = 'Maud Reyes'
  const at = (day: number) => ({ who: speaker, createdAt: `2026-03-0${day}T09:00:00.000Z` })
  await remember("I don't use Trello anymore.", at(2))
  const early = await dream()
  expect(early.operations).toEqual([])
  expect(early.pass).toMatchObject({ status: 'completed' })

  await remember('I use Trello.', at(1))
  const late = await dream()
  expect(late.operations.map(({ before, after, state }) => [before, after, state])).toEqual([
    [null, 'Trello', 'applied'],
    ['Trello', null, 'applied'],
  ])
  const again = await dream()
  expect(again.pass).toMatchObject({ status: 'completed', mutationsApplied: 0 })
})
