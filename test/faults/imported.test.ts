import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lineOf, saying } from '../support/import-line.ts'
import {
  countSourceRows,
  inspectDatabase,
  lockDatabase,
  type SourceRows,
} from '../support/inspect-database.ts'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { isLong } from '../support/load.ts'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

/** Work on imported material that kills interrupt. Each round kills one daemon later. */
const workspace = await mkdtemp(join(tmpdir(), 'reverie-faults-'))
const outside = await mkdtemp(join(tmpdir(), 'reverie-vault-'))
const service = await startService({ workspace, engine: 'sqlite', env: { SVC_AGENT_ID: 'ada' } })
afterAll(async () => {
  await service.stop()
  await removeFolder(workspace)
  await removeFolder(outside)
})

type Body = Readonly<Record<string, unknown>>

const delays = [5, 15, 30, 60, 100, 150, 220, 320, 450, 700]
const timeout = isLong ? 900_000 : 60_000
const rounds = isLong ? delays : [60]

/** Kills the daemon while the calls run, and starts it again. Lost calls have no reply. */
async function killDuring<Reply>(afterMs: number, calls: readonly Promise<Reply>[]) {
  const replies = Promise.allSettled(calls)
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  await service.kill()
  const settled = await replies
  expect(inspectDatabase(workspace)).toEqual([])
  await service.restart()
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

const post = (path: string, body: object) => service.ask(`POST ${path}`, { body })

async function upload(name: string, text: string, duplicateMode = 'skip') {
  const form = new FormData()
  form.append('files', new Blob([text]), name)
  form.append('duplicateMode', duplicateMode)
  const headers = { authorization: `Bearer ${service.tokenFor('operator')}` }
  const url = `${service.url}/api/sources/import`
  const reply = await fetch(url, { method: 'POST', body: form, headers })
  return Object((await reply.json()) as Body).files[0] as Body
}

const listImports = async () =>
  ((await service.ask('GET /api/sources')).body['sources'] as Body[]).filter(
    ({ kind, lastIndexedAt }) => kind === 'import' && lastIndexedAt !== undefined,
  )

test('documents that kills interrupt are done once, with each chunk once', {
  timeout,
}, async () => {
  const text = (name: string) =>
    Array.from(
      { length: 60 },
      (_, at) => `## Part ${at}\n\n${`${name} part ${at} `.repeat(60)}`,
    ).join('\n\n')
  for (const afterMs of rounds) {
    const names = ['one', 'two', 'three'].map((name) => `${name}${afterMs}`)
    const replies = await killDuring(
      afterMs,
      names.map((title) =>
        post('/api/documents', { source_type: 'text', content: text(title), title }),
      ),
    )
    for (const { body } of replies) {
      const read = async () => (await service.ask(`GET /api/documents/${body['id']}`)).body
      await expect.poll(async () => (await read())['status'], { timeout: 60_000 }).toBe('done')
      const { chunks, count } = (await service.ask(`GET /api/documents/${body['id']}/chunks`)).body
      const places = (chunks as Body[]).map((chunk) => chunk['chunk_index'])
      expect(new Set(places).size).toBe(count)
      expect((await read())['chunk_count']).toBe(count)
    }
  }
})

test('a replaced file is there once after kills, and no upload remains', { timeout }, async () => {
  for (const afterMs of rounds) {
    const text = `The plover of round ${afterMs} is back.`
    const first = await upload('plover.txt', text)
    expect(first).toMatchObject({ status: 'imported' })
    await killDuring(afterMs, [upload('plover.txt', text, 'replace')])
    const uploads = join(workspace, '.daemon', 'uploads')
    expect(existsSync(uploads) ? await readdir(uploads) : []).toEqual([])
    expect(await upload('plover.txt', text, 'replace')).toMatchObject({ status: 'imported' })
    const same = (await listImports()).filter(
      ({ providerSettings }) => Object(providerSettings).contentHash === contentHashOf(text),
    )
    expect(same).toHaveLength(1)
  }
})

const contentHashOf = (text: string) => createHash('sha256').update(`${text}\n`).digest('hex')

async function addVault(name: string, notes: number) {
  const root = join(outside, name)
  await mkdir(root, { recursive: true })
  for (let at = 0; at < notes; at++)
    await writeFile(
      join(root, `n${at}.md`),
      `# Note ${at}\n\nThe ${name} swallow nests in barn ${at}.`,
    )
  const { body } = await post('/api/sources/notes-vault', { path: root })
  return String(Object(body['source']).id)
}

const statsOf = async (id: string) => {
  const { source } = (await service.ask(`GET /api/sources/${encodeURIComponent(id)}`)).body
  return { ...Object(source).stats, status: Object(source).indexJob?.status }
}

test('an interrupted run goes on, and an interrupted deletion leaves nothing', {
  timeout,
}, async () => {
  for (const afterMs of rounds) {
    const name = `hirundo${afterMs}`
    const id = await addVault(name, 120)
    await killDuring(afterMs, [])
    await expect
      .poll(() => statsOf(id), { timeout: 60_000, interval: 200 })
      .toMatchObject({ artifacts: 120, status: 'complete' })
    const { health } = (await service.ask(`GET /api/sources/${encodeURIComponent(id)}/health`)).body
    expect(health).toMatchObject({ semantic: { documents: 120 }, purge: { orphanChunks: 0 } })

    const remove = () => service.ask(`DELETE /api/sources/${encodeURIComponent(id)}`)
    const leftover = join(workspace, '.daemon', '.next-aB3dE5')
    await mkdir(leftover)
    await writeFile(join(leftover, 'file'), name)
    await killDuring(afterMs / 4, [remove()])
    expect(existsSync(leftover)).toBe(false)
    await expect.poll(async () => (await remove()).status, { timeout: 60_000 }).toBe(404)
    // A start writes the log into the database.
    await service.restart()
    expect(await listPlacesHolding(service, [name])).toEqual([])
  }
})

/** What a deletion has removed so far, in the order of its phases. */
const phases = {
  begun: () => true,
  chunks: (left, all) => left.chunks < all.chunks,
  artifacts: (left, all) => left.artifacts < all.artifacts,
  graph: (left, all) => left.nodes < all.nodes,
  state: (left) => left.files === 0,
} satisfies Readonly<Record<string, (left: SourceRows, all: SourceRows) => boolean>>

test.each(isLong ? Object.keys(phases) : ['begun', 'graph'])(
  'a deletion that a kill ends in its phase "%s" goes on, and leaves other sources alone',
  { timeout },
  async (phase) => {
    const name = `riparia${phase}`
    const other = await addVault(`apus${phase}`, 3)
    const id = await addVault(name, 300)
    for (const [source, artifacts] of [
      [other, 3],
      [id, 300],
    ] as const)
      await expect
        .poll(() => statsOf(source), { timeout: 60_000, interval: 200 })
        .toMatchObject({ artifacts, status: 'complete' })
    const hasReached = phases[phase as keyof typeof phases]
    await expect.poll(() => countSourceRows(workspace, id).nodes).toBeGreaterThan(0)
    const all = countSourceRows(workspace, id)
    const remove = () => service.ask(`DELETE /api/sources/${encodeURIComponent(id)}`)

    const lock = lockDatabase(workspace)
    const removing = remove().catch(() => undefined)
    const tombstones = join(workspace, '.daemon', 'source-deletion-tombstones.json')
    await expect
      .poll(async () => existsSync(tombstones) && readFile(tombstones, 'utf8'))
      .toContain(id)
    const deadline = Date.now() + 30_000
    for (let left = all; !hasReached(left, all); left = countSourceRows(workspace, id)) {
      if (Date.now() > deadline) lock.release()
      expect(Date.now(), `The deletion stopped at ${JSON.stringify(left)}.`).toBeLessThan(deadline)
      await lock.yield()
    }
    await service.kill()
    lock.release()
    await removing
    expect(inspectDatabase(workspace)).toEqual([])
    await service.restart()

    await expect.poll(async () => (await remove()).status, { timeout: 60_000 }).toBe(404)
    expect(countSourceRows(workspace, id)).toEqual({ chunks: 0, artifacts: 0, nodes: 0, files: 0 })
    expect(await statsOf(other)).toMatchObject({ artifacts: 3 })
    await service.restart()
    expect(await listPlacesHolding(service, [name])).toEqual([])
  },
)

test('a snapshot is imported whole or not at all', { timeout }, async () => {
  const id = encodeURIComponent(await addVault('merula', 60))
  await expect
    .poll(() => statsOf(decodeURIComponent(id)), { timeout: 60_000 })
    .toMatchObject({ status: 'complete' })
  const snapshot = (await service.ask(`GET /api/sources/${id}/snapshot`)).body
  const artifacts = (snapshot['artifacts'] as Body[]).slice(0, 20)
  for (const afterMs of rounds) {
    const path = `/api/sources/${id}/snapshot/import`
    await killDuring(afterMs, [post(path, { ...snapshot, artifacts })])
    const { artifacts: count } = await statsOf(decodeURIComponent(id))
    expect([20, 60]).toContain(count)
    await expect
      .poll(async () => (await post(path, snapshot)).status, { timeout: 30_000 })
      .toBe(200)
  }
})

test('an interrupted upload goes on, and each conversation is imported once', {
  timeout,
}, async () => {
  const base = '/api/sources/imports'
  const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex')
  for (const afterMs of rounds) {
    const lines = Array.from({ length: 400 }, (_, at) => longLine(`${afterMs}-${at}`)).join('\n')
    const created = await post(base, { files: [{ name: 'a.jsonl' }] })
    const job = `${base}/${created.body['id']}`
    const file = `${job}/files/${(created.body['files'] as Body[])[0]?.['id']}`
    const patch = (offset: number) => {
      const part = lines.slice(offset, offset + 131_072)
      return fetch(service.url + file, {
        method: 'PATCH',
        body: part,
        headers: {
          authorization: `Bearer ${service.tokenFor('operator')}`,
          'content-type': 'application/octet-stream',
          'upload-length': String(lines.length),
          'upload-offset': String(offset),
          'upload-checksum': sha256(part),
        },
      })
    }
    const sendAll = async () => {
      for (let offset = 0; offset < lines.length; offset += 131_072)
        expect((await patch(offset)).status).toBe(200)
    }
    await killDuring(afterMs / 4, [sendAll()])
    await sendAll()
    await killDuring(afterMs / 8, [post(`${file}/finalize`, {})])
    await post(`${file}/finalize`, {})
    await killDuring(afterMs, [post(`${job}/start`, {})])
    await post(`${job}/start`, {})
    const readState = async () => {
      const { body } = await service.ask(`GET ${job}`)
      const { total, imported, duplicate, rejected, pending } = Object(body['job'])
      expect(imported + duplicate + rejected + pending).toBe(total)
      return body['state']
    }
    await expect.poll(readState, { timeout: 60_000 }).toBe('completed')
    expect((await service.ask(`GET ${job}`)).body['job']).toMatchObject({
      total: 400,
      imported: 400,
      duplicate: 0,
      rejected: 0,
      pending: 0,
    })
  }
})

const longLine = (key: string) => lineOf(key, saying(`words of ${key} `.repeat(50)))
