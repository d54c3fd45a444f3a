import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachOf } from '../support/load.ts'
import type { Service } from '../support/start-service.ts'
import { payloads } from './payloads.ts'

/** The entity, the session and the plugin with hostile fields. */
export const hostileEntity = 'Hostile Harbour'
export const hostileSession = 'hostile'
export const hostilePlugin = 'hostile.plugin'

type Request = readonly [string, object]

/** A text for fields that take many lines. The long payload has its own rows. */
export const allPayloads = payloads.filter((text) => text.length < 1000).join('\n')

/** A harness that prints its prompt. */
export async function writeHarness(folder: string): Promise<void> {
  const program = join(folder, 'kimi')
  await writeFile(program, '#!/bin/sh\necho "$2"\necho "$2" >&2\n')
  await chmod(program, 0o755)
}

/** Fills what the pages show with the payloads; `planted` go into fields of one line, each alone. */
export async function plantHostile(
  service: Service,
  files: string,
  planted: readonly string[],
): Promise<void> {
  const send = async ([operation, body]: Request) => {
    const reply = await service.ask(operation, { agent: 'default', body })
    return reply.body as Readonly<Record<string, unknown>>
  }
  await plantFiles(service, files, planted)
  const entity = { operation: 'create_entity', payload: { name: hostileEntity, type: 'place' } }
  await send(['POST /api/ontology/operations/apply', entity])
  const tree = `GET /api/knowledge/navigation/tree?entity=${encodeURIComponent(hostileEntity)}`
  const { body } = await service.ask(tree, { agent: 'default' })
  const entityId = String(Object(body['entity'])['id'])
  const requests = planted.flatMap((payload, index) => listRequests(payload, index, entityId))
  await forEachOf([...requests, ...listWholeTexts(files)], async (request) => {
    await send(request)
  })
  await forEachOf([...payloads.entries()], async ([index, payload]) => {
    await send(['POST /api/memory/remember', { content: `${index} ${payload}` }])
  })
  await linkEntities(send)
  const rights = { capabilities: ['hostile:show'] }
  await service.ask('POST /api/plugins/rescan', { body: {} })
  await service.ask(`PUT /api/plugins/${hostilePlugin}/grants`, { body: rights })
  await service.ask(`PATCH /api/plugins/${hostilePlugin}`, { body: { enabled: true } })
  await plantSessions(send, planted)
  await plantQuotes(send, planted)
}

/** Entities with a link are in the graph. */
async function linkEntities(send: (request: Request) => Promise<unknown>) {
  const [target = ''] = payloads
  const payload = {
    source_entity: hostileEntity,
    target_entity: `0 ${target}`,
    link_type: 'contains',
  }
  await send(['POST /api/ontology/operations/apply', { operation: 'create_link', payload }])
}

/** Each field by itself: some refuse names with hidden characters, the text of a memory does not. */
function listRequests(payload: string, index: number, entityId: string): readonly Request[] {
  const entity = { name: `${index} ${payload}`, type: 'thing' }
  const remember = (more: object): Request => ['POST /api/memory/remember', more]
  const task = { cronExpression: '0 0 1 1 *', harness: 'kimi', enabled: false }
  return [
    remember({ content: `tagged ${index}`, tags: [payload] }),
    remember({ content: `said ${index}`, who: payload }),
    remember({ content: `placed ${index}`, project: payload, type: payload }),
    ['POST /api/ontology/operations/apply', { operation: 'create_entity', payload: entity }],
    ['POST /api/ontology/operations/apply', toClaim(payload)],
    [`POST /api/ontology/entities/${entityId}/aliases`, { alias: payload, source: payload }],
    ['POST /api/documents', { source_type: 'text', title: payload, content: payload }],
    ['POST /api/documents', { source_type: 'url', url: `http://127.0.0.1:9/${payload}` }],
    ['POST /api/sources/imports', { files: [{ name: payload }] }],
    ['POST /api/agents', { name: payload.slice(0, 60) }],
    ['POST /api/auth/api-keys', { name: payload, role: 'readonly' }],
    ['POST /api/secrets/FIELD', { value: payload }],
    ['POST /api/tasks', { ...task, name: payload, prompt: payload }],
    ['POST /api/cross-agent/messages', { broadcast: true, content: payload }],
  ]
}

/** A claim whose every name is the payload. */
function toClaim(payload: string) {
  const slot = { entity: hostileEntity, aspect: payload, group_key: 'any', claim_key: payload }
  return { operation: 'add_claim_value', payload: { ...slot, value: payload } }
}

/** Fields that take all payloads at once. */
function listWholeTexts(files: string): readonly Request[] {
  return [
    ['POST /api/config', { file: 'IDENTITY.md', content: allPayloads }],
    ['POST /api/sources/notes-vault', { path: join(files, 'notes'), name: payloads[0] }],
    ['POST /api/documents', { source_type: 'text', title: 'All', content: allPayloads }],
  ]
}

/** Names of sessions, projects and harnesses, a transcript, and its summary. */
async function plantSessions(
  send: (request: Request) => Promise<unknown>,
  planted: readonly string[],
) {
  const whole = payloads.map((payload) => `User: ${payload}`).join('\n')
  const session = { harness: 'codex', sessionKey: hostileSession, transcript: whole }
  await send(['POST /api/hooks/session-end', session])
  await forEachOf(planted, async (payload) => {
    const hook = { harness: payload, project: payload, sessionKey: payload.slice(0, 100) }
    await send(['POST /api/hooks/session-start', hook])
    // The others stay open, and are listed as such.
    if (payload !== payloads[0]) return
    const transcript = `User: ${payload}`
    await send(['POST /api/hooks/session-end', { ...hook, transcript }])
  })
}

/** Proposals and their quotes. */
async function plantQuotes(
  send: (request: Request) => Promise<Readonly<Record<string, unknown>>>,
  planted: readonly string[],
) {
  await forEachOf(planted, async (payload) => {
    const content = `The quoted words are ${payload}`
    const { id } = await send(['POST /api/memory/remember', { content }])
    const evidence = [{ sourceKind: 'memory', sourceId: id, quote: payload }]
    const proposal = { ...toClaim(payload), evidence, rationale: payload }
    await send(['POST /api/ontology/proposals', proposal])
  })
}

/** Files that the service reads: skills, plugins, and notes with hostile names. */
async function plantFiles(service: Service, files: string, planted: readonly string[]) {
  const skill = join(service.workspace, 'skills', 'hostile')
  const plugin = join(service.workspace, 'plugins', 'hostile')
  const notes = join(files, 'notes')
  for (const folder of [skill, plugin, notes]) await mkdir(folder, { recursive: true })
  const [first = ''] = payloads
  const head = `name: hostile\ndescription: ${JSON.stringify(first)}\nauthor: ${JSON.stringify(first)}`
  await writeFile(join(skill, 'SKILL.md'), `---\n${head}\n---\n${allPayloads}`)
  await writeFile(join(plugin, 'plugin.json'), JSON.stringify(toManifest(planted)))
  for (const payload of planted) {
    const name = payload.replaceAll(/[/\0]/g, '_').slice(0, 60)
    await writeFile(join(notes, `${name}.md`), `# ${payload}\n\n${payload}`)
  }
}

function toManifest(planted: readonly string[]) {
  const [first = ''] = payloads
  const lines = planted.map((text) => text.slice(0, 400).trim()).filter((text) => text !== '')
  const requiredCapabilities = ['hostile:show']
  const dashboardPanels = lines
    .slice(0, 64)
    .map((text) => ({ id: text, title: text, summary: text, requiredCapabilities }))
  return {
    schemaVersion: 1,
    id: hostilePlugin,
    name: first,
    version: '1.0.0',
    publisher: first,
    trustTier: 'local-dev',
    runtime: { kind: first },
    capabilities: [{ id: 'hostile:show', summary: first }],
    surfaces: { dashboardPanels },
  }
}
