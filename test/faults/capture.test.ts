import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { bundleProgram } from '../support/bundle-program.ts'
import { makeFolder } from '../support/make-folder.ts'

const fixture = new URL(
  '../../src/capabilities/transcripts/capture-until-killed.fixture.ts',
  import.meta.url,
)
const program = await bundleProgram(fixture, [
  'src/capabilities/transcripts/threads/text-worker.ts',
])

interface Line {
  readonly session_key: string
  readonly seq: number
  readonly role: string
  readonly content: string
}

/** Kills the process after that many lines and returns the lines. */
async function run(
  folder: string,
  mode: 'tell' | 'finish',
  killedAfter = Number.POSITIVE_INFINITY,
) {
  const child = spawn(process.execPath, [program, folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (lines.length === killedAfter) child.kill('SIGKILL')
  }
  await closed
  return lines
}

test('repeated kills during captures lose no turn and write none twice', async () => {
  const folder = await makeFolder()
  const acknowledged = new Map<string, number>()

  for (const killedAfter of [1, 7, 12, 23])
    for (const line of await run(folder, 'tell', killedAfter)) {
      const [session = '', turns] = line.split(' ')
      acknowledged.set(session, Number(turns))
    }
  const sessions = (await run(folder, 'finish')).map((line) => JSON.parse(line))

  const text = await readFile(join(folder, 'transcripts', 'codex', 'transcript.jsonl'), 'utf8')
  const written = text
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  expect(acknowledged.size).toBe(5)
  for (const { sessionKey, content } of sessions) {
    const own = written.filter((line) => line.session_key === sessionKey)
    const said = own.map(
      ({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`,
    )
    expect(said.length).toBeGreaterThanOrEqual(acknowledged.get(sessionKey) ?? 0)
    expect(said.join('\n') === content).toBe(true)
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1))
  }
  const manifests = await readdir(join(folder, 'memory'))
  expect(manifests.filter((name) => name.endsWith('--manifest.md'))).toHaveLength(5)
  expect(await readdir(join(folder, 'transcripts', 'codex'))).toEqual(['transcript.jsonl'])
})
