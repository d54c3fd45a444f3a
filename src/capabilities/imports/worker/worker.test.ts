import { describe, expect } from 'vitest'
import { lineOf } from '../../../../test/support/import-line.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { createImport } from '../create-import.ts'
import { exportTranscripts } from '../export/export-transcripts.ts'
import { caller, importsFor, onEachEngine, toBody } from '../imports.fixture.ts'
import { listRejections, readImport } from '../read-import.ts'
import { removeImportedSource } from '../removal/remove-source.ts'
import { measureUploads } from '../store/files.ts'
import { reservationAfterSeal, reservationOf } from '../upload/admission.ts'
import { putFile } from '../upload/put.ts'
import { expireUploads } from './expire-uploads.ts'

const dayMs = 86_400_000
type Imports = ReturnType<typeof importsFor>

const everything = { offset: 0, messagesOnly: false, json: false }

async function exportText({ needs }: Imports, request: object = {}): Promise<string> {
  let text = ''
  for await (const part of exportTranscripts(needs, caller, { ...everything, ...request }).chunks)
    text += String(part)
  return text
}

async function rejectionsOf({ needs }: Imports, jobId: string) {
  const { rejections } = await listRejections(needs, caller, { jobId, after: undefined })
  return rejections.map(({ rejectionCode, lineNumber }) => [lineNumber, rejectionCode])
}

describe('an import', () => {
  onEachEngine('stores each conversation once and finds it in the session search', async (db) => {
    const imports = importsFor(db)
    const { jobId } = await imports.upload(
      `${lineOf('one', { messages: [{ role: 'user', content: 'The fern needs shade.' }] })}\n\n${lineOf('two')}\n${lineOf('two')}`,
    )

    const job = await imports.run(jobId)

    expect(job).toMatchObject({
      state: 'completed',
      total: 3,
      imported: 2,
      duplicate: 1,
      pending: 0,
    })
    expect(job.reconciledAt).not.toBeNull()
    const hits = await imports.transcripts.searchTranscripts(caller, { query: 'fern', limit: 5 })
    expect(hits).toMatchObject([{ sessionKey: 'one' }])
    expect(imports.events).toContainEqual({ jobId, agentId: 'default', state: 'completed' })
  })

  onEachEngine('exports what it imported byte for byte', async (db) => {
    const imports = importsFor(db)
    const lines = [
      lineOf('b', { timestamp: '2024-01-01T00:00:00+02:00', project: 'garden', extra: 1 }),
      lineOf('ä', { messages: [{ role: 'tool', content: '\u0000 \ud800 <private>x</private>' }] }),
      lineOf('z', { timestamp: '2025-03-04' }),
    ]
    const { jobId } = await imports.upload(`${lines.join('\n')}\n`)
    await imports.run(jobId)
    const first = await exportText(imports)

    const again = await imports.upload(first)
    expect(await imports.run(again.jobId)).toMatchObject({ total: 3, duplicate: 3, imported: 0 })
    expect(await exportText(imports)).toBe(first)
    expect(first.split('\n').map((line) => line && JSON.parse(line).session_key)).toEqual([
      'b',
      'z',
      'ä',
      '',
    ])
    expect(JSON.parse(first.split('\n')[2] ?? '')).toEqual(JSON.parse(lines[1] ?? ''))
    expect(await exportText(imports, { json: true, limit: 1, offset: 1 })).toBe(
      `[${first.split('\n')[1]}]`,
    )
    expect(await exportText(imports, { messagesOnly: true })).not.toContain('ä')
  })

  onEachEngine('rejects lines with their codes and counts every one', async (db) => {
    const imports = importsFor(db)
    const many = Array.from({ length: 50_001 }, () => ({ role: 'user', content: 'x' }))
    const { jobId } = await imports.upload(
      [
        lineOf('one'),
        '{"id":',
        '[]',
        lineOf('role', { messages: [{ role: 'User', content: 'x' }] }),
        lineOf('count', { message_count: 7 }),
        lineOf('date', { timestamp: 'someday' }),
        lineOf('empty', { messages: [{ role: 'user', content: ' ' }] }),
        lineOf('many', { messages: many }),
        lineOf('one', { messages: [{ role: 'user', content: 'other words' }] }),
        lineOf('last'),
      ].join('\n'),
    )

    const job = await imports.run(jobId)

    expect(job).toMatchObject({
      state: 'completed_with_rejections',
      total: 10,
      imported: 2,
      rejected: 8,
      pending: 0,
    })
    expect(await rejectionsOf(imports, jobId)).toEqual([
      [2, 'malformed'],
      ...[3, 4, 5, 6, 7, 8].map((line) => [line, 'schema_invalid']),
      [9, 'conversation_identity_conflict'],
    ])
  })

  onEachEngine('has one large conversation in memory at a time', async (db) => {
    const imports = importsFor(db)
    const large = [1, 2].map((at) => ({ role: 'user', content: `${at}`.repeat(2_500_000) }))
    const lines = ['one', 'two', 'three'].map((key) => lineOf(key, { messages: large }))
    const { jobId } = await imports.upload(lines.join('\n'))
    await imports.control(jobId, 'start')
    const { records } = imports.needs
    const importedBefore: number[] = []
    const read: typeof records.read = async (some) => {
      const { imported } = await imports.read(jobId)
      importedBefore.push(imported)
      return records.read(some)
    }
    await importsFor(db, { records: { ...records, read } }).work()

    expect(importedBefore.slice(0, 3)).toEqual([0, 1, 2])
    expect(await imports.read(jobId)).toMatchObject({ state: 'completed', imported: 3 })
  })

  onEachEngine('gets another key where a captured session has its own', async (db) => {
    const imports = importsFor(db)
    const session = { agentId: 'default', sessionKey: 'one', harness: 'codex', complete: true }
    const read = await imports.transcripts.readInput({
      harness: 'codex',
      transcript: 'User: hello moss',
    })
    await imports.transcripts.saveSnapshot(db, { ...session, read })
    const { jobId } = await imports.upload(lineOf('one'))

    expect(await imports.run(jobId)).toMatchObject({ imported: 1 })
    const [hit] = await imports.transcripts.searchTranscripts(caller, { query: 'words', limit: 5 })
    expect(hit?.sessionKey).toMatch(/^one#import-[\da-f]{8}$/)

    const captured = (await exportText(imports, { harnesses: ['codex'] })).trim()
    expect(JSON.parse(captured)).toMatchObject({ id: 'session:one', session_key: 'one' })
    const own = await imports.upload(captured)
    expect(await imports.run(own.jobId)).toMatchObject({ duplicate: 1, imported: 0 })
    const changed = await imports.upload(captured.replace('hello moss', 'hello fern'))
    expect(await imports.run(changed.jobId)).toMatchObject({ rejected: 1 })
  })
})

describe('controls', () => {
  onEachEngine('a paused import continues, a cancelled one never changes', async (db) => {
    const imports = importsFor(db)
    const { jobId } = await imports.upload(lineOf('one'))
    await expect(imports.control(jobId, 'resume')).rejects.toMatchObject({ kind: 'conflict' })
    expect(await imports.control(jobId, 'start')).toMatchObject({ changed: true, state: 'queued' })
    expect(await imports.control(jobId, 'start')).toMatchObject({ changed: false })
    expect(await imports.control(jobId, 'pause')).toMatchObject({ state: 'paused' })
    await imports.work()
    expect(await imports.read(jobId)).toMatchObject({ state: 'paused', total: 0, generation: 1 })

    await imports.control(jobId, 'resume')
    await imports.work()
    expect(await imports.read(jobId)).toMatchObject({ state: 'completed', imported: 1 })

    const other = await imports.upload(lineOf('two'))
    expect(await imports.control(other.jobId, 'cancel')).toMatchObject({ state: 'cancelled' })
    await imports.work()
    expect(await imports.read(other.jobId)).toMatchObject({ cleanupState: 'complete' })
    expect(await imports.control(other.jobId, 'start')).toMatchObject({
      changed: false,
      state: 'cancelled',
    })
  })

  onEachEngine('an upload that does not continue for a week is cancelled', async (db) => {
    const imports = importsFor(db)
    const create = async (names: readonly string[]) => {
      const files = names.map((name) => ({ name: toCleanText(name), size: 100 }))
      const request = { files, duplicateMode: 'skip', bodyBytes: 0 } as const
      const { job, files: created } = await createImport(imports.needs, caller, request)
      const upload = async (index: number) => {
        const fileId = created[index]?.id ?? ''
        await putFile(imports.needs, caller, { jobId: job.id, fileId, ...toBody('x'.repeat(100)) })
      }
      return { jobId: job.id, upload }
    }
    const abandoned = await create(['one.jsonl', 'two.jsonl'])
    await abandoned.upload(0)
    const complete = await create(['three.jsonl'])
    await complete.upload(0)
    imports.host.advance(6 * dayMs)
    const recent = await create(['four.jsonl'])

    await expireUploads(imports.needs)
    expect(await imports.read(abandoned.jobId)).toMatchObject({ state: 'staging' })
    imports.host.advance(2 * dayMs)
    await expireUploads(imports.needs)
    await imports.work()

    expect(await imports.read(abandoned.jobId)).toMatchObject({
      state: 'cancelled',
      error: expect.stringContaining('7 days'),
      cleanupState: 'complete',
    })
    const { files } = await readImport(imports.needs, caller, abandoned.jobId)
    expect(files).toMatchObject([
      { storageState: 'sealed', reservedBytes: 0 },
      { storageState: 'purged', reservedBytes: 0 },
    ])
    for (const { jobId } of [complete, recent])
      expect(await imports.read(jobId)).toMatchObject({ state: 'staging', error: null })
    const reserved = reservationAfterSeal(100) + reservationOf(100)
    expect((await measureUploads(db)).reservedBytes).toBe(reserved)
  })

  onEachEngine('a retry repeats conflicts and imports what was removed meanwhile', async (db) => {
    const imports = importsFor(db)
    const first = await imports.upload(lineOf('one'))
    await imports.run(first.jobId)
    const other = lineOf('one', { messages: [{ role: 'user', content: 'other words' }] })
    const second = await imports.upload(`${other}\n{`)
    expect(await imports.run(second.jobId)).toMatchObject({ rejected: 2 })

    expect(await imports.control(second.jobId, 'retry')).toMatchObject({ state: 'queued' })
    expect(await imports.read(second.jobId)).toMatchObject({ rejected: 1, pending: 1, total: 2 })
    await imports.work()
    expect(await imports.read(second.jobId)).toMatchObject({ rejected: 2, pending: 0 })
    expect(
      (await listRejections(imports.needs, caller, { jobId: second.jobId, after: undefined }))
        .rejections,
    ).toMatchObject([{ attemptCount: 2 }, { attemptCount: 1 }])
  })

  onEachEngine('a removed source leaves no words and can be imported again', async (db) => {
    const imports = importsFor(db)
    const { jobId } = await imports.upload(lineOf('one'))
    await imports.run(jobId)
    const [file] = (await readImport(imports.needs, caller, jobId)).files
    const source = { agentId: 'default', sourceId: String(file?.sourceId) }

    expect(await removeImportedSource(imports.needs, source)).toBe(true)
    expect(await exportText(imports)).toBe('')
    expect(
      await imports.transcripts.searchTranscripts(caller, { query: 'words', limit: 5 }),
    ).toEqual([])
    expect(await removeImportedSource(imports.needs, { ...source, sourceId: 'none' })).toBe(false)

    const again = await imports.upload(lineOf('one'))
    expect(await imports.run(again.jobId)).toMatchObject({ imported: 1 })
  })

  onEachEngine('a run whose lease is lost writes nothing more', async (db) => {
    const imports = importsFor(db)
    const lines = Array.from({ length: 60 }, (_, index) => lineOf(`s${index}`)).join('\n')
    const { jobId } = await imports.upload(lines)
    await imports.control(jobId, 'start')
    const { records } = imports.needs
    let batches = 0
    const read: typeof records.read = async (some) => {
      if (++batches === 2) await imports.control(jobId, 'cancel')
      return records.read(some)
    }
    const stopped = importsFor(db, { records: { ...records, read } })
    await stopped.work()

    expect(await imports.read(jobId)).toMatchObject({
      state: 'cancelled',
      imported: 25,
      pending: 0,
    })
    expect((await exportText(imports)).split('\n')).toHaveLength(26)
  })

  onEachEngine('a job of a killed daemon continues at its checkpoint', async (db) => {
    const imports = importsFor(db)
    const lines = Array.from({ length: 60 }, (_, index) => lineOf(`s${index}`)).join('\n')
    const { jobId } = await imports.upload(lines)
    await imports.control(jobId, 'start')
    const { records } = imports.needs
    const aborting = new AbortController()
    const read: typeof records.read = async (some) => {
      aborting.abort()
      return records.read(some)
    }
    const killed = importsFor(db, { records: { ...records, read } })
    await killed.worker.run(aborting.signal)
    expect(await imports.read(jobId)).toMatchObject({ state: 'queued', imported: 25, pending: 35 })

    await imports.worker.recover()
    await imports.work()
    expect(await imports.read(jobId)).toMatchObject({ state: 'completed', imported: 60, total: 60 })
  })
})
