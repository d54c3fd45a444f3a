import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { listSubcommands, renderHelp } from '../support/cli-help.ts'
import { echoTarget } from '../support/echo-target.ts'
import { startModelUpstream } from '../support/model-upstream.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'
import { testHome } from '../support/test-home.ts'

const run = promisify(execFile)
const upstream = await startModelUpstream()
const targets = {
  echo: { ...echoTarget, privacy: 'local_only' },
  home: { executor: 'ollama', endpoint: upstream.url, models: { small: { model: 'tiny' } } },
}
const service = await startService({
  mode: 'local',
  engine: 'sqlite',
  // No pass starts by itself while an example starts one.
  config: { inference: { targets }, memory: { dreaming: { enabled: true, tickMs: 3_600_000 } } },
})
afterAll(async () => {
  await service.stop()
  await upstream.stop()
})
const folder = await mkdtemp(join(testHome, 'examples-'))
const env = { SVC_URL: service.url, SVC_PATH: service.workspace }

/** Examples that never end, or need another shell, daemon, a repository of the workspace, a file in another format, a page, a removable disk, a running request, a pass of Dreaming or a login. */
const excluded =
  /^(SVC_PORT=|git )|reverie (setup|start|stop|restart)\b|--follow|\| source|\/media\/|--into|inference (cancel|login)|embed use|document add|source restore|message retry|reverie events|git (sync|pull|push)|repair show|check-fts --repair|task follow|message follow|dream (apply|discard|undo|cancel|requeue|page )/

const examples = await listExamples()

test('the help shows examples that can run here', () => {
  expect(examples.length).toBeGreaterThan(45)
  expect(examples).toContain('reverie config set logging.level debug')
})

test.each(examples)(
  'the example of the help exits with 0: %s',
  async (example) => {
    const command = await prepare(await withVault(example))

    const { stdout, stderr } = await (isPlain.test(command) ? runPlain(command) : shell(command))

    expect(stdout + stderr).not.toContain('is not a setting')
  },
  30_000,
)

async function listExamples(): Promise<string[]> {
  const listed: string[] = []
  const pending: (readonly string[])[] = [[]]
  for (let command = pending.shift(); command; command = pending.shift()) {
    const [, shown = ''] = (await renderHelp(command)).split(/^Examples:/m)
    listed.push(...[...shown.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line))
    for (const name of await listSubcommands(command)) pending.push([...command, name])
  }
  return [...new Set(listed)].filter((example) => !excluded.test(example))
}

/** Adds a folder of notes for an example with the id of one, and puts its id there. */
async function withVault(example: string): Promise<string> {
  if (!example.includes('notes-vault:')) return example
  const args = ['source', 'add', 'vault', folder, '--json']
  const { stdout } = await runReverie(args, { env })
  return example.replace(/notes-vault:[0-9a-f]+/, JSON.parse(stdout).source.id)
}

/** As an export of ChatGPT holds it. */
const conversation = {
  conversation_id: 'c1',
  create_time: 1_700_000_000,
  current_node: 'a',
  mapping: {
    a: {
      id: 'a',
      parent: null,
      message: { author: { role: 'user' }, content: { parts: ['Water the moss.'] } },
    },
  },
}

/** Creates what the example names: its memories, its session, its agent and its files. */
async function prepare(example: string): Promise<string> {
  if (/agents (show|update|delete)/.test(example)) await tryRun('agents', 'create', 'ada')
  const [, created] = /agents create (\w+)/.exec(example) ?? []
  if (created) await tryRun('agents', 'delete', created, '--purge')
  if (/secret (exec|has|delete)/.test(example))
    await runReverie(['secret', 'put', 'GREETING_TOKEN'], { env, input: 'synthetic' })
  if (/ skill /.test(example)) await installSkill()
  if (/entities |ontology assert /.test(example)) await createEntities(example)
  if (/bypass|sessions show/.test(example)) await openSession()
  const line = JSON.stringify({ content: `Line of ${example}` })
  await writeFile(join(folder, 'memories.jsonl'), `${line}\n`)
  const entity = { type: 'entity', name: 'Orchard', entity_type: 'project' }
  await writeFile(join(folder, 'graph.jsonl'), `${JSON.stringify(entity)}\n`)
  await writeFile(join(folder, 'deploy_key'), 'synthetic')
  await mkdir(join(folder, '.config', 'discord'), { recursive: true })
  await writeFile(join(folder, 'notes.md'), 'The moss needs water.')
  await writeFile(join(folder, 'conversations.json'), JSON.stringify([conversation]))
  await run('gzip', ['-kf', 'memories.jsonl'], { cwd: folder })
  await writeFile(join(folder, 'event.json'), JSON.stringify({ session_id: '6b1f0c9e' }))
  if (/export/.test(example)) await run('rm', ['memories.jsonl', 'graph.jsonl'], { cwd: folder })
  let command = example
  for (const id of ['0195f3a0', '0195f4b1'])
    if (example.includes(id)) command = command.replaceAll(id, await createTarget(example, id))
  return /^reverie forget [\w-]+ [\w-]+$/.test(command) ? `${command} --reason test` : command
}

function createTarget(example: string, name: string): Promise<string> {
  if (example.includes('message ack')) return createMessage()
  if (example.includes('secret job')) return createJob()
  if (example.includes('connector ')) return createConnector()
  if (/ task /.test(example)) return createTask(example)
  if (example.includes('keys revoke')) return createKey()
  if (example.includes('dream show')) return createPass()
  if (example.includes('document ')) return createDocument(example)
  return /ontology (?!assert|extract|export|import)/.test(example)
    ? createProposal(example)
    : createMemory(example, name)
}

/** Examples that leave entities under other names, archived or without what others read. */
const changesEntities = /entities (archive|merge|rename|split)|ontology (undo|import|rebuild)/
let hasEntities = false

async function createEntities(example: string): Promise<void> {
  if (hasEntities && !changesEntities.test(example)) return
  hasEntities = !changesEntities.test(example)
  await tryRun('entities', 'set', 'Atlas', 'runtime', 'language', 'Go')
  for (const name of ['Borealis', 'PostgreSQL', 'Node.js', 'Node JS'])
    await tryRun('entities', 'set', name, 'runtime', 'language', 'C')
}

async function createProposal(example: string): Promise<string> {
  const payload = JSON.stringify({ name: `Entity of ${example.replaceAll(/\W+/g, ' ')}` })
  const propose = ['ontology', 'propose', 'create_entity', '--payload', payload, '--json']
  const { stdout } = await runReverie(propose, { env })
  const { id } = JSON.parse(stdout)
  if (example.includes('undo')) await tryRun('ontology', 'apply', id)
  return id
}

async function createPass(): Promise<string> {
  const { stdout } = await runReverie(['dream', '--preview', '--json'], { env })
  return JSON.parse(stdout).pass.id
}

async function createTask(example: string): Promise<string> {
  const name = `Task of ${example.replaceAll(/\W+/g, ' ')}`
  const add = ['task', 'add', name, 'Say hello.', '0 9 * * 1', 'kimi', '--json']
  const { stdout } = await runReverie(add, { env })
  return JSON.parse(stdout).id
}

async function createJob(): Promise<string> {
  await runReverie(['secret', 'put', 'GREETING_TOKEN'], { env, input: 'synthetic' })
  const exec = [
    'secret',
    'exec',
    '--secret',
    'A=GREETING_TOKEN',
    '--no-wait',
    '--json',
    '--',
    'true',
  ]
  const { stdout } = await runReverie(exec, { env })
  return JSON.parse(stdout).id
}

async function createKey(): Promise<string> {
  const { stdout } = await runReverie(['keys', 'create', 'a key', '--json'], { env })
  return JSON.parse(stdout).id
}

async function createDocument(example: string): Promise<string> {
  const add = ['document', 'add', '-', '--title', example, '--json']
  const { stdout } = await runReverie(add, { env, input: `The text of ${example}` })
  return JSON.parse(stdout).id
}

async function createConnector(): Promise<string> {
  const { stdout } = await runReverie(['connector', 'add', folder, '--json'], { env })
  return JSON.parse(stdout).id
}

async function createMessage(): Promise<string> {
  const send = ['message', 'send', 'a message', '--to', 'default', '--json', '--agent', 'ada']
  const { stdout } = await runReverie(send, { env })
  return JSON.parse(stdout).message.id
}

async function createMemory(example: string, name: string): Promise<string> {
  const ask = { body: { content: `${name} of ${example}` }, agent: 'default' }
  const { id } = (await service.ask('POST /api/memory/remember', ask)).body as { id: string }
  if (example.includes('recover')) await tryRun('forget', id, '--reason', 'test')
  return id
}

async function installSkill(): Promise<void> {
  const source = join(folder, 'dig')
  await mkdir(source, { recursive: true })
  await writeFile(join(source, 'SKILL.md'), '---\ndescription: Digs holes\n---\nDig.\n')
  await tryRun('skill', 'install', 'dig', '--source', source)
}

async function openSession(): Promise<void> {
  const input = JSON.stringify({ session_id: '6b1f0c9e', cwd: folder })
  await runReverie(['hook', 'session-start', '-H', 'claude-code'], { env, input })
}

/** A command line without files and operators of a shell. */
const isPlain = /^reverie (?!.*--from-file)[\w\s"'=:,?-]*$/

async function runPlain(command: string) {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
  const args = words.map(([, double, single, plain]) => double ?? single ?? plain ?? '')
  const ended = await runReverie(args.slice(1), { env: { HOME: folder, ...env } })
  expect(ended).toMatchObject({ code: 0 })
  return ended
}

function tryRun(...args: readonly string[]) {
  return runReverie(args, { env })
}

/** Runs one line in a shell that knows this build as `reverie`; throws unless it exits with 0. */
function shell(line: string) {
  const program = `"${process.execPath}" "${resolve('dist/main.js')}" "$@"`
  const script = `set -eo pipefail\nreverie() { ${program}; }\n{ ${line}; } < /dev/null`
  const { PATH = '' } = process.env
  return run('bash', ['-c', script], { cwd: folder, env: { PATH, HOME: folder, ...env } })
}
