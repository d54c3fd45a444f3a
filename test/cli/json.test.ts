import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { echoTarget } from '../support/echo-target.ts'
import { makeFolder } from '../support/make-folder.ts'
import { reapLater } from '../support/reaper.ts'
import { runReverie } from '../support/run-reverie.ts'

const page = readFileSync('docs/cli.md', 'utf8')
const [, table = ''] = page.split('| command | document |')
const rows = [...table.matchAll(/^\| (`[a-z`, ]+`) \| (.*\{.*) \|$/gm)]
/** The tests of the commands that write events check their lines. */
const isDocument = ([, , text = '']: readonly string[]) => !text.startsWith('one event a line')
/** The documents that each command may write, each as the names at its top. */
const documented = new Map(
  rows
    .filter(isDocument)
    .map(([, command = '', text = '']) => [
      command.replaceAll('`', ''),
      [...text.matchAll(/`(\{[^`]*\})`/g)].map(([, shape = '']) => topNames(shape)),
    ]),
)

test('each command writes exactly the document that docs/cli.md shows', async () => {
  expect(documented.size).toBeGreaterThan(7)
  const folder = await makeFolder()
  const [workspace, lines, archive] = ['home', 'memories.jsonl', 'all.tar.gz'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const forget = reapLater(workspace)
  const env = { SVC_PATH: workspace, SVC_PORT: '0', HOME: folder }
  onTestFinished(async () => {
    await runReverie(['stop'], { env })
    forget()
  })
  await mkdir(workspace)
  await writeFile(
    join(workspace, 'agent.yaml'),
    JSON.stringify({ inference: { targets: { echo: echoTarget } } }),
  )
  await writeFile(lines, '{"content":"one"}\nno JSON\n')
  const notes = join(folder, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'note.md'), '# A note\n\nThe moss needs water.\n')
  const conversations = join(folder, 'conversations.json')
  await writeFile(conversations, JSON.stringify([conversation]))

  const calls: readonly [command: string, ...rest: string[]][] = [
    ['start'],
    ['start'],
    ['restart'],
    ['status'],
    ['dashboard', '--no-open'],
    ['doctor'],
    ['config set', 'search.top_k', '30'],
    ['config get', 'search.top_k'],
    ['import', lines],
    ['export', join(folder, 'exported.jsonl')],
    ['backup', archive],
    ['restore', archive, '--into', join(folder, 'restored')],
    ['harnesses'],
    ['install', 'generic', '--dry-run'],
    ['install', 'generic'],
    ['uninstall', 'generic'],
    ['inference test', 'echo/m'],
    ['inference add', 'ollama', '--model', 'small', '--name', 'home', '--no-test'],
    ['source add', 'vault', notes],
    ['ontology export', join(folder, 'graph.jsonl')],
    ['ontology import', lines],
    ['connector add', notes],
    ['import files', join(notes, 'note.md')],
    ['import conversations', conversations, '--dry-run'],
    ['export conversations', join(folder, 'conversations.jsonl')],
    ['setup', '--yes', '--no-service', '--no-harness'],
    ['service install', '--dry-run'],
    ['service uninstall'],
    ['service status'],
    ['service logs'],
    ['stop'],
    ['stop'],
  ]
  const written = new Map<string, readonly string[]>()
  for (const [command, ...rest] of calls) {
    const { stdout } = await runReverie([...command.split(' '), ...rest, '--json'], { env })
    const names = Object.keys(JSON.parse(stdout))
    written.set(command, names)
    const shapes = documented.get(command)
    if (shapes) expect(shapes, command).toContainEqual(names)
  }

  expect([...documented.keys()].filter((command) => !written.has(command))).toEqual([])
})

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

/** Of `{a, b: [{c}], d?}` these are a, b and d. */
function topNames(shape: string): string[] {
  const flat = (text: string): string => {
    const less = text.replaceAll(/\[[^[\]{}]*\]|(?!^)\{[^[\]{}]*\}/g, '')
    return less === text ? text : flat(less)
  }
  return flat(shape)
    .slice(1, -1)
    .split(', ')
    .map((field) => field.split(/[:?]/)[0]?.trim() ?? '')
}
