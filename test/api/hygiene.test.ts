import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { echoTarget } from '../support/echo-target.ts'
import { listMarks, listPlacesHolding } from '../support/list-places-holding.ts'
import { removeFolder } from '../support/make-folder.ts'
import { callOf, listOperations } from '../support/operations.ts'
import { exemptOperations, refusedFields } from '../support/refused-fields.ts'
import { startService } from '../support/start-service.ts'
import { listTextFields, type TextField } from '../support/text-fields.ts'

const workspace = await mkdtemp(join(tmpdir(), 'reverie-hygiene-'))
const service = await startService({
  workspace,
  config: {
    telemetry: { memorySearchQaEnabled: true },
    inference: { targets: { echo: echoTarget } },
  },
  env: { CODEX_HOME: join(workspace, 'codex'), SVC_AGENT_ID: 'ada' },
})
afterAll(async () => {
  await service.stop()
  await removeFolder(workspace)
})

/** Names, paths and keys are stored and compared unchanged. */
const identifiers = new Set(
  `harness project runtimePath runtime_path sessionKey session_key sessionId session_id agentId
  agent_id parentSessionKey parentKey parentId parentID harnessAgentId transcriptPath cwd id ids key
  jobId pluginId name scope source currentSessionKey current_session_key toolUseId skillName
  skill origin confirm_token superseded_by supersedes route event category file sub
  scope.project scope.agent scope.user depth entity aspect aspectId group claim
  sourceId`.split(/\s+/),
)

/** A presence stores its project as text. */
const texts = new Set(['sessions.appear project'])

/** Memories and notes retain texts that only look like a password. */
const explicitWrites =
  /^(memory\.(remember|update|write-note|supersede|recover|forget|tombstone)|hooks\.remember)/

const documented = await listTextFields(service)
/** A hook has the fields of the operation to which it passes its body. */
const passedOn = { 'memory.remember': 'hooks.remember', 'recall.recall': 'hooks.recall' }
const passed = Object.entries(passedOn).flatMap(([from, operationId]) =>
  documented
    .filter((field) => field.operationId === from)
    .map((field) => ({ ...field, operationId, path: `/api/${operationId.replace('.', '/')}` })),
)
/** A bulk patch has the fields of an update. */
const patched = documented
  .filter(({ operationId, in: where }) => operationId === 'memory.update' && where === 'body')
  .map((field) => ({
    ...field,
    operationId: 'memory.update-many',
    method: 'POST',
    path: '/api/memory/modify',
    fill: (text: string) => ({ patches: [field.fill(text)] }),
  }))
const fields = [...documented, ...passed, ...patched].filter(
  ({ operationId, name }) =>
    texts.has(`${operationId} ${name}`) ||
    !(identifiers.has(name.replace('.{}', '')) || exemptOperations.has(operationId)),
)

/** The text for a field, and marks that identify it in any output, in lower case. */
function plant({ operationId, in: where, name }: TextField) {
  const digest = createHash('sha256').update(`${operationId} ${where} ${name}`).digest('hex')
  const letters = digest
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
    .slice(0, 12)
  const key = `${digest.slice(0, 14)}aB3dE5fG7hJ9kL2mN4pQ6rS8`.slice(0, 36)
  const password = explicitWrites.test(operationId) ? '' : ` DB_PASSWORD=rose${letters}`
  return {
    text: `Maud keeps ghp_${key} near <private>umbrage${letters}</private> the old barn${password}`,
    marks: [digest.slice(0, 14), `umbrage${letters}`, `rose${letters}`],
  }
}

const planted = fields.map((field) => ({ field, ...plant(field) }))
const marks = planted.flatMap((one) => one.marks)
const unused: string[] = []
const replies: { readonly to: string; readonly text: string }[] = []

const project = '/projects/tea'
const keyOf = (operationId: string) => `agent:ada:${operationId}`

async function ask(call: string, body?: object) {
  const role = /auth|agents|config|backup|regenerate|inference|secrets|tasks/.test(call)
    ? 'admin'
    : 'operator'
  const reply = await service.ask(call, { role, ...(body && { body }) })
  replies.push({ to: call.split('?')[0] ?? '', text: JSON.stringify(reply.body) })
  return reply
}

let remembered = 0
async function newMemory(): Promise<string> {
  const content = `The heron number ${remembered++} stands in the reeds`
  return String((await ask('POST /api/memory/remember', { content })).body['id'])
}

/** The other required fields of an operation. */
async function plainBody({ operationId }: TextField): Promise<Readonly<Record<string, unknown>>> {
  if (operationId.startsWith('secrets.'))
    return { value: 'synthetic', command: 'true', secrets: { PLANTED: 'PLANTED_SECRET' } }
  if (operationId.startsWith('hooks.'))
    return {
      harness: 'mine',
      sessionKey: keyOf(operationId),
      project,
      skillName: 'weave',
      userMessage: 'Where does the heron stand?',
      content: `The owl ${remembered++} sleeps`,
      query: 'heron',
      summary: `We saw ${remembered++} herons`,
    }
  const operation = { operation: 'create_entity', payload: { name: `Heron ${remembered++}` } }
  return {
    ...(operationId.startsWith('ontology.') && operation),
    ...(/\.(assert|supersede-assertion)$/.test(operationId) && assertion),
    proposals: [operation],
    operations: [operation],
    alias: `Heron ${remembered++}`,
    name: `Heron ${remembered++}`,
    query: 'heron',
    prompt: 'Where does the heron stand?',
    reason: 'a test',
    mode: 'preview',
    role: 'agent',
    ...(operationId === 'documents.add' && { source_type: 'text' }),
    enabled: true,
    harness: 'mine',
    ...(operationId.startsWith('tasks.') && plannedTask),
    ...(operationId.includes('supersede') && { superseded_by: await newMemory() }),
    ...(operationId === 'messages.send' && { toAgentId: 'bob' }),
    ...(operationId === 'memory.feedback' && { feedback: { [await newMemory()]: 1 } }),
    ...(operationId === 'memory.update'
      ? { pinned: true }
      : { content: `The lark number ${remembered++} sings` }),
  }
}

const plannedTask = { harness: 'inference', cronExpression: '0 9 * * 1', enabled: false }
const assertion = { entity: 'Great Heron', evidence: ['The owl says so'] }

/** The id of what the path names: a secret, a task, a proposal, an assertion, an entity or the memory. */
async function newSubject(path: string, memoryId: string): Promise<string> {
  if (path.startsWith('/api/secrets/')) return 'PLANTED_SECRET'
  if (path.startsWith('/api/tasks/')) {
    const body = { ...plannedTask, name: `Task ${remembered++}`, prompt: 'Count the herons' }
    return String((await ask('POST /api/tasks', body)).body['id'])
  }
  if (!/^\/api\/ontology\/(proposals|entities|assertions)\/\{/.test(path)) return memoryId
  if (path.includes('/assertions/')) {
    const body = { ...assertion, content: `The heron ${remembered++} sleeps` }
    return String((await ask('POST /api/ontology/assertions', body)).body['id'])
  }
  const body = { operation: 'create_entity', payload: { name: `Heron ${remembered++}` } }
  const isPending = /apply|reject/.test(path)
  const route = isPending ? 'proposals' : 'operations/apply'
  const { id, result } = (await ask(`POST /api/ontology/${route}`, body)).body
  return path.includes('/entities/') ? Object(result)['entityId'] : String(id)
}

/** Sends one request with the text in one field and valid values elsewhere. */
async function send(field: TextField, text: string) {
  const { method, path, operationId } = field
  const plain = await plainBody(field)
  const inAddress = { reason: 'a test', q: 'heron', id: await newMemory(), project }
  const query = new URLSearchParams({
    ...inAddress,
    ...(field.in === 'query' && { [field.name]: text }),
  })
  if (operationId === 'memory.recover') await ask(`DELETE /api/memory/${inAddress.id}?reason=test`)
  const address = path.replaceAll(/\{\w+\}/g, await newSubject(path, inAddress.id))
  const filled = { ...plain, ...(field.in === 'body' && Object(field.fill(text))) }
  const patches = [filled.patches ?? {}].flat().map((patch: unknown) => ({
    id: inAddress.id,
    reason: 'a test',
    pinned: true,
    ...(typeof patch === 'object' && patch),
  }))
  const hasBody = method !== 'GET' && field.in === 'body'
  return ask(`${method} ${address}?${query}`, hasBody ? { ...filled, patches } : undefined)
}

beforeAll(async () => {
  const entity = { operation: 'create_entity', payload: { name: assertion.entity } }
  await ask('POST /api/ontology/operations/apply', entity)
  for (const { field, text } of planted) {
    const { status } = await send(field, text)
    if (status >= 300) unused.push(`${field.operationId} ${field.name}`)
    expect(status, `${field.method} ${field.path} ${field.name}`).toBeLessThan(500)
  }
  await endSessions()
  await ask('POST /api/synthesis/trigger', { force: true })
  await readAll()
}, 240_000)

/** Ends the sessions and waits for their captures. */
async function endSessions(): Promise<void> {
  const keys = new Set(fields.map(({ operationId }) => keyOf(operationId)))
  for (const sessionKey of keys) {
    const ending = { harness: 'mine', sessionKey, project }
    const { body } = await ask('POST /api/hooks/session-end', ending)
    const job = body['transcriptCaptureJobId']
    if (typeof job === 'string')
      await vi.waitFor(
        async () =>
          expect((await ask(`GET /api/hooks/transcript-capture/${job}`)).body).toMatchObject({
            status: 'completed',
          }),
        { timeout: 20_000, interval: 50 },
      )
  }
}

/** Reads everything that later sessions and readers receive. */
async function readAll(): Promise<void> {
  const reads = (await listOperations(service)).filter(
    ({ method, path }) => method === 'GET' && path !== '/mcp' && !/\/(stream|events)$/.test(path),
  )
  const key = keyOf('hooks.user-prompt-submit')
  for (const read of reads) await ask(`${callOf(read, key)}?limit=1000&project=${project}`)
  for (const operationId of new Set(fields.map((field) => field.operationId)))
    await ask(`GET /api/checkpoints/${keyOf(operationId)}`)
  const session = { harness: 'mine', project }
  for (const parentSessionKey of [undefined, keyOf('hooks.user-prompt-submit')])
    await ask('POST /api/hooks/session-start', {
      ...session,
      sessionKey: `agent:ada:later-${parentSessionKey}`,
      parentSessionKey,
    })
  await ask('POST /api/hooks/session-start', {
    ...session,
    sessionKey: keyOf('hooks.pre-compaction'),
    source: 'resume',
  })
}

test('tests every text field of the document', () => {
  const names = fields.map(({ operationId, name }) => `${operationId} ${name}`)

  expect(names).toEqual(
    expect.arrayContaining([
      'hooks.user-prompt-submit userMessage',
      'hooks.compaction-complete summary',
      'memory.remember metadata.{}',
      'recall.search q',
      'hooks.recall keywordQuery',
    ]),
  )
  expect(fields.length).toBeGreaterThan(60)
})

test('only the listed fields are refused', () => {
  expect(unused.toSorted()).toEqual(refusedFields.toSorted())
})

test('no reply contains a credential or a private span', () => {
  const leaks = replies.flatMap(({ to, text }) => listMarks(text, marks).map((mark) => [to, mark]))

  expect(leaks.map(named)).toEqual([])
})

test('no file, table or log contains one', async () => {
  const output = listMarks(service.output(), marks).map((mark) => ['output', mark])
  await service.restart()
  const places = await listPlacesHolding(service, marks)

  expect(await listPlacesHolding(service, ['heron'])).not.toEqual([])
  expect(output.map(named)).toEqual([])
  expect(places.map((place) => named(place.split(': ')))).toEqual([])
})

/** Names the field of a leak. */
function named([place = '', mark = '']: readonly string[]): string {
  const one = planted.find((one) => one.marks.includes(mark))
  return `${place} <- ${one?.field.operationId} ${one?.field.in} ${one?.field.name} (${one?.marks.indexOf(mark)})`
}
