import type { Caller } from '../../../kernel/auth/caller.ts'
import type { ByteBody } from '../../../kernel/http/byte-body.ts'
import type { ImportFile } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { tooLarge } from '../refusals.ts'
import { updateUpload } from '../store/files.ts'
import { assertTarget, type FileRef, readFile } from '../target.ts'
import { append, assertDeclared, assertUploading } from './append.ts'
import { seal } from './finalize.ts'
import { maxAppendBytes, readPutLength } from './headers.ts'

interface PutRequest extends FileRef {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: ByteBody
}

/** Stores and seals a whole file. An interrupted request leaves a prefix that can be continued. */
export async function putFile(needs: ImportsNeeds, caller: Caller, request: PutRequest) {
  assertTarget(needs, caller)
  const length = readPutLength(request.headers, request.bytes.length)
  const { job, file } = await readFile(needs, caller, request)
  assertUploading(job, file)
  assertDeclared(file, { length, generation: file.uploadGeneration })
  return needs.transfers.run(async () => {
    let offset = 0
    for await (const body of toAppends(request.bytes.parts())) {
      if (offset + body.length > length)
        throw tooLarge(`The body has more than the ${length} bytes declared.`)
      await appendRest(needs, caller, { ...request, body, offset, length })
      offset += body.length
    }
    const { file: stored } = await readFile(needs, caller, request)
    return seal(needs, length === 0 ? await declareEmpty(needs, stored) : stored)
  })
}

interface Part extends FileRef {
  readonly body: Buffer
  readonly offset: number
  readonly length: number
}

/** Compares what an interrupted request has stored, and adds the rest. */
async function appendRest(needs: ImportsNeeds, caller: Caller, part: Part): Promise<void> {
  const { body, offset, length } = part
  const { file } = await readFile(needs, caller, part)
  const stored = Math.min(body.length, Math.max(0, file.uploadOffset - offset))
  if (stored > 0) await append(needs, file, { body: body.subarray(0, stored), offset, length })
  if (stored < body.length)
    await append(needs, file, { body: body.subarray(stored), offset: offset + stored, length })
}

/** An empty file has no chunk that could declare its size. */
async function declareEmpty(needs: ImportsNeeds, file: ImportFile): Promise<ImportFile> {
  const declared = { uploadSize: 0, updatedAt: needs.host.now().toISOString() }
  await updateUpload(needs.db, file, declared)
  return { ...file, ...declared }
}

/** Joins parts to the size of one append. */
async function* toAppends(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const part of parts) {
    waiting.push(part)
    size += part.length
    if (size < maxAppendBytes) continue
    const joined = Buffer.concat(waiting, size)
    const whole = size - (size % maxAppendBytes)
    for (let at = 0; at < whole; at += maxAppendBytes)
      yield joined.subarray(at, at + maxAppendBytes)
    waiting = [joined.subarray(whole)]
    size -= whole
  }
  if (size > 0) yield Buffer.concat(waiting, size)
}
