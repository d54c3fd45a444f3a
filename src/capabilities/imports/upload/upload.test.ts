import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { createImport } from '../create-import.ts'
import { caller, importsFor, onEachEngine, sha256, toBody } from '../imports.fixture.ts'
import { readImport } from '../read-import.ts'
import { measureUploads } from '../store/files.ts'
import { appendChunk } from './append.ts'
import { finalizeFile } from './finalize.ts'
import { putFile } from './put.ts'
import { readContent } from './read-chunks.ts'
import { resetFile } from './reset.ts'

const kib64 = 65_536
const bytes = Buffer.from(Array.from({ length: 3 * kib64 + 7 }, (_, index) => index % 251))

type Imports = ReturnType<typeof importsFor>

async function createFile({ needs }: Imports, size?: number) {
  const files = [{ name: toCleanText('a.jsonl'), size }]
  const { job, files: created } = await createImport(needs, caller, {
    files,
    duplicateMode: 'skip',
    bodyBytes: 0,
  })
  const at = { jobId: job.id, fileId: created[0]?.id ?? '' }
  const patch = (part: Buffer, offset: number, more: Readonly<Record<string, string>> = {}) =>
    appendChunk(needs, caller, {
      ...at,
      bytes: toBody(part).bytes,
      headers: {
        'upload-length': String(bytes.length),
        'upload-offset': String(offset),
        'upload-checksum': sha256(part),
        ...more,
      },
    })
  const state = async () => (await readImport(needs, caller, job.id)).files[0]
  return { at, patch, state }
}

describe('an upload', () => {
  onEachEngine('in chunks is verified, sealed and returned as it was', async (db) => {
    const imports = importsFor(db)
    const { at, patch, state } = await createFile(imports)

    expect(await patch(bytes.subarray(0, kib64), 0)).toEqual({ offset: kib64, generation: 0 })
    expect(await patch(bytes.subarray(0, kib64), 0)).toEqual({ offset: kib64, generation: 0 })
    await patch(bytes.subarray(kib64), kib64)
    const sealed = await finalizeFile(imports.needs, caller, at)

    expect(sealed).toMatchObject({ sizeBytes: bytes.length, contentHash: sha256(bytes) })
    expect(await finalizeFile(imports.needs, caller, at)).toEqual(sealed)
    const { chunks, headers } = await readContent(imports.needs, caller, at)
    expect(headers['content-length']).toBe(String(bytes.length))
    expect((await buffer(Readable.from(chunks))).equals(bytes)).toBe(true)
    const digest = [0, 1, 2, 3].reduce((previous, index) => {
      const chunk = bytes.subarray(index * kib64, (index + 1) * kib64)
      return sha256(`${previous}:${sha256(chunk)}:${chunk.length}`)
    }, '')
    expect((await state())?.uploadDigest).toBe(digest)
  })

  onEachEngine('refuses gaps, overlaps, other bytes and wrong checksums', async (db) => {
    const imports = importsFor(db)
    const { at, patch } = await createFile(imports)
    await patch(bytes.subarray(0, 2 * kib64), 0)
    const refused = { kind: 'conflict', code: 'transcript_import_conflict' }
    const invalid = { kind: 'invalid', code: 'transcript_import_invalid_chunk' }
    const part = bytes.subarray(0, kib64)

    await expect(patch(part, 3 * kib64)).rejects.toMatchObject({ kind: 'too_large' })
    await expect(patch(bytes.subarray(3 * kib64), 3 * kib64)).rejects.toMatchObject(refused)
    await expect(patch(bytes.subarray(0, 2 * kib64), kib64)).rejects.toMatchObject(refused)
    await expect(patch(Buffer.alloc(kib64), 0)).rejects.toMatchObject(refused)
    await expect(patch(part, 0, { 'upload-generation': '1' })).rejects.toMatchObject(refused)
    await expect(patch(part, 0, { 'upload-length': '9999999' })).rejects.toMatchObject(refused)
    await expect(patch(part, 7)).rejects.toMatchObject(invalid)
    await expect(patch(bytes.subarray(0, 9), 2 * kib64)).rejects.toMatchObject(invalid)
    await expect(patch(Buffer.alloc(0), 0)).rejects.toMatchObject(invalid)
    await expect(patch(part, 0, { 'upload-checksum': sha256('x') })).rejects.toMatchObject(invalid)
    await expect(patch(part, 0, { 'upload-offset': '-1' })).rejects.toMatchObject(invalid)
    await expect(patch(part, 0, { 'upload-length': String(2 ** 40) })).rejects.toMatchObject({
      code: 'transcript_import_too_large',
    })
    await expect(finalizeFile(imports.needs, caller, at)).rejects.toMatchObject(refused)
    await expect(readContent(imports.needs, caller, at)).rejects.toMatchObject(refused)
  })

  onEachEngine('starts a new generation after a reset and releases its space', async (db) => {
    const imports = importsFor(db)
    const { at, patch, state } = await createFile(imports)
    await patch(bytes.subarray(0, kib64), 0)
    expect((await measureUploads(db)).reservedBytes).toBe(3 * bytes.length + 67_108_864)

    await resetFile(imports.needs, caller, at)

    expect(await state()).toMatchObject({
      uploadGeneration: 1,
      uploadOffset: 0,
      uploadSize: null,
      uploadDigest: '',
    })
    expect((await measureUploads(db)).reservedBytes).toBe(0)
    await expect(patch(bytes.subarray(0, kib64), 0)).rejects.toMatchObject({ kind: 'conflict' })
    const again = await patch(bytes.subarray(0, kib64), 0, { 'upload-generation': '1' })
    expect(again).toEqual({ offset: kib64, generation: 1 })
  })

  onEachEngine('by PUT continues an interrupted one and accepts an empty file', async (db) => {
    const imports = importsFor(db)
    const { at, patch } = await createFile(imports)
    await patch(bytes.subarray(0, kib64), 0)
    const empty = await createFile(imports)

    const sealed = await putFile(imports.needs, caller, { ...at, ...toBody(bytes) })
    expect(sealed.contentHash).toBe(sha256(bytes))
    expect(await putFile(imports.needs, caller, { ...empty.at, ...toBody('') })).toMatchObject({
      sizeBytes: 0,
      contentHash: sha256(''),
    })
  })

  onEachEngine('is admitted only where enough space stays free', async (db) => {
    const gib = 1_073_741_824
    const tight = importsFor(db, { freeBytes: async () => gib + 67_108_864 + 3 * bytes.length })
    await createFile(tight, bytes.length)

    await expect(createFile(tight, 1)).rejects.toMatchObject({ kind: 'conflict' })
    expect((await measureUploads(db)).reservedBytes).toBe(3 * bytes.length + 67_108_864)
  })

  onEachEngine('a fifth transfer at the same time is refused', async (db) => {
    const imports = importsFor(db)
    const { transfers } = imports.needs
    const waiting = Promise.withResolvers<void>()
    const running = [1, 2, 3, 4].map(() => transfers.run(() => waiting.promise))

    await expect(transfers.run(async () => 1)).rejects.toMatchObject({
      code: 'transcript_import_busy',
    })
    waiting.resolve()
    await Promise.all(running)
    expect(await transfers.run(async () => 1)).toBe(1)
  })
})
