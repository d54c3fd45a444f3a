import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { type Service, startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())
const { run, json } = reverieOf(service)

test('each line becomes a memory, once', async () => {
  const { file } = await written([1, 2, 3].map((n) => ({ content: `line ${n}` })))

  expect(await json(['import', file])).toMatchObject({ imported: 3, duplicates: 0, rejected: 0 })
  expect(await json(['import', file])).toMatchObject({ imported: 0, duplicates: 3, rejected: 0 })
})

test('reads stdin for -, and ignores empty lines', async () => {
  const input = '{"content":"piped in"}\n\n{"content":"and this, without an end"}'

  expect(await json(['import', '-'], input)).toMatchObject({ imported: 2, rejected: 0 })
})

test('rejected lines are reported, the others are stored, and it exits with 3', async () => {
  const { file } = await written([{ content: 'a good line' }, 'no JSON', { text: 'no content' }, 7])
  const { code, stdout, stderr } = await run(['import', file, '--json'])

  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'lines_rejected' })
  expect(JSON.parse(stdout)).toEqual({
    imported: 1,
    duplicates: 0,
    rejected: 3,
    rejections: [
      { line: 2, reason: 'not JSON' },
      { line: 3, reason: 'not an object with content' },
      { line: 4, reason: 'not an object with content' },
    ],
  })
})

test('rejects a line that is too long, and reads the lines after it', async () => {
  const { file } = await written([{ content: 'x'.repeat(1_100_000) }, { content: 'after long' }])
  const { stdout } = await run(['import', file, '--json'])

  expect(JSON.parse(stdout)).toMatchObject({ imported: 1, rejected: 1, rejections: [{ line: 1 }] })
})

test('an import resumes where an earlier import of the same file stopped', async () => {
  const lines = Array.from({ length: 10 }, (_, n) => ({ content: `resumed ${n}` }))
  const { file, folder } = await written(lines)
  const { size, mtimeMs } = await stat(file)
  const reached = { line: 6, imported: 6, duplicates: 0, rejected: 0 }
  const checkpoint = JSON.stringify({ url: service.url, size, mtimeMs, ...reached })
  await writeFile(`${file}.reverie-progress`, checkpoint)

  expect(await json(['import', file])).toMatchObject({ imported: 10, duplicates: 0 })
  expect(await json(['import', file])).toMatchObject({ imported: 6, duplicates: 4 })
  expect(await readdir(folder)).toEqual(['memories.jsonl'])
})

test('a killed import resumes, and has stored each line once', async () => {
  const { file, folder } = await manyLines('killed')
  const { env } = reverieOf(service)
  const killed = spawn(process.execPath, ['dist/main.js', 'import', file], { env })
  await vi.waitFor(() => access(`${file}.reverie-progress`), pollOptions)
  killed.kill('SIGKILL')
  await once(killed, 'close')
  expect(await readdir(folder)).toEqual(['memories.jsonl', 'memories.jsonl.reverie-progress'])

  const { imported, duplicates, rejected } = await json(['import', file])

  expect(rejected).toBe(0)
  expect(Number(imported) + Number(duplicates)).toBe(many)
  expect(await countSavedIn(service, 'killed')).toBe(many)
  expect(await readdir(folder)).toEqual(['memories.jsonl'])
  expect(await json(['import', file])).toMatchObject({ imported: 0, duplicates: many })
})

test('an import whose daemon is killed exits with 5, and resumes with the next daemon', async () => {
  const { file, folder } = await manyLines('orphaned')
  const mortal = await startService()
  onTestFinished(() => mortal.stop())
  const orphaned = reverieOf(mortal).run(['import', file, '--json'])
  await vi.waitFor(() => access(`${file}.reverie-progress`), pollOptions)
  await mortal.kill()
  const { code, stderr } = await orphaned
  expect(code).toBe(5)
  expect(JSON.parse(stderr)).toMatchObject({ code: 'unreachable' })
  await mortal.restart()

  const { imported, duplicates, rejected } = await reverieOf(mortal).json(['import', file])

  expect(Number(duplicates)).toBeGreaterThan(0)
  expect(Number(imported) + Number(duplicates)).toBe(many)
  expect(rejected).toBe(0)
  expect(await countSavedIn(mortal, 'orphaned')).toBe(many)
  expect(await readdir(folder)).toEqual(['memories.jsonl'])
})

const many = 800
const pollOptions = { timeout: 30_000, interval: 5 }

function manyLines(project: string) {
  return written(Array.from({ length: many }, (_, n) => ({ content: `${project} ${n}`, project })))
}

/** How many memories begin with the name. */
async function countSavedIn(service: Service, project: string): Promise<number> {
  let found = 0
  for (let offset = 0; ; offset += 1000) {
    const { body } = await service.ask(`GET /api/memories?limit=1000&offset=${offset}`)
    const listed = body['memories'] as { readonly content: string }[]
    found += listed.filter(({ content }) => content.startsWith(`${project} `)).length
    if (listed.length < 1000) return found
  }
}

test('a missing file is a usage error', async () => {
  expect((await run(['import', '/nowhere/at/all.jsonl'])).code).toBe(2)
})

async function written(lines: readonly unknown[]) {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-import-'))
  onTestFinished(() => removeFolder(folder))
  const file = join(folder, 'memories.jsonl')
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(file, `${texts.join('\n')}\n`)
  return { file, folder }
}
