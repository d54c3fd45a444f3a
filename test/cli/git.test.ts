import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { reapLater } from '../support/reaper.ts'
import { runReverie } from '../support/run-reverie.ts'

const run = promisify(execFile)
const [, chapter = ''] = readFileSync('docs/operations.md', 'utf8').split('## Syncing two machines')
const [, script = ''] = /```sh\n([^`]*)```/.exec(chapter) ?? []

test('the script of docs/operations.md syncs two machines, and both texts are on both', async () => {
  const folder = await makeFolder()
  const workspaces = ['desk', 'laptop'].map((name) => `${folder}/${name}`)
  const forget = workspaces.map(reapLater)
  onTestFinished(async () => {
    for (const SVC_PATH of workspaces)
      await runReverie(['stop'], { env: { SVC_PATH, HOME: folder } })
    for (const each of forget) each()
  })
  const program = `"${process.execPath}" "${resolve('dist/main.js')}" "$@"`
  const start = `set -eo pipefail\nreverie() { ${program}; }\n`
  const { stdout } = await run('bash', ['-c', start + script], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' },
    timeout: 240_000,
  })

  expect(stdout).toContain('plan.md (both); the other version is in plan.conflict-')
  const both = ['Bring the ladder.', 'Ask about the fern.']
  expect(stdout).toContain([...both, ...both, ''].join('\n'))
  expect(stdout).toContain('Plant on Friday.\nPlant on Monday.\n')
}, 300_000)

test('a failed operation prints its fix and exits with 1', async () => {
  const folder = await makeFolder()
  const forget = reapLater(folder)
  const env = { SVC_PATH: folder, SVC_PORT: '0', HOME: folder }
  onTestFinished(async () => {
    await runReverie(['stop'], { env })
    forget()
  })
  await runReverie(['start'], { env })
  const pulled = await runReverie(['git', 'pull'], { env })
  const json = await runReverie(['git', 'pull', '--json'], { env })

  expect([pulled.code, json.code]).toEqual([1, 1])
  expect(pulled.stdout).toContain('Run reverie git init.')
  expect(JSON.parse(json.stdout)).toMatchObject({ success: false, code: 'not_a_repository' })
  expect(JSON.parse(json.stderr)).toEqual({
    error: 'The workspace is not a git repository of its own.',
    code: 'not_a_repository',
    hint: 'Run reverie git init.',
  })
}, 120_000)
