import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { explainSource, type Packument, readPackument } from '../check/sources.ts'
import type { UpdateNeeds } from '../needs.ts'
import { UpdateFailure, unverifiable } from './failure.ts'

export const maxBytes = 268_435_456
const timeoutMs = 600_000
const idleMs = 30_000
const digestBytes = 64

export interface RemoteFile {
  readonly url: string
  readonly algorithm: 'sha512' | 'sha256'
  readonly digest: Buffer
  /** The size that the source promises. */
  readonly bytes?: number
}

export interface PackageFile extends RemoteFile {
  readonly name: string
}

type DownloadNeeds = Pick<UpdateNeeds, 'config' | 'outbound'>

/** The file of a version, as the registry describes it. */
export async function readManifest(needs: DownloadNeeds, version: string): Promise<PackageFile> {
  const { package: name } = needs.config()
  const packument = await readDocument(needs)
  const entry = Object.hasOwn(packument.versions, version) ? packument.versions[version] : undefined
  if (!entry?.dist) throw unverifiable(`the registry has no version ${version}`)
  if (name === undefined || (packument.name ?? name) !== name || (entry.name ?? name) !== name)
    throw unverifiable(`the registry describes another package than ${name}`)
  const digest = readDigest(entry.dist.integrity)
  if (!digest) throw unverifiable(`the registry gives no SHA-512 digest of version ${version}`)
  if (!/^https?:$/.test(URL.parse(entry.dist.tarball)?.protocol ?? ''))
    throw unverifiable('the registry gives no address of the file')
  return { name, url: entry.dist.tarball, algorithm: 'sha512', digest }
}

async function readDocument(needs: DownloadNeeds): Promise<Packument> {
  try {
    return await readPackument(needs)
  } catch (error) {
    const code = error instanceof Refusal ? 'download_failed' : 'manifest_invalid'
    throw new UpdateFailure(code, `The registry was not read: ${explainSource(error)}`)
  }
}

/** One of several digests may be SHA-512. */
function readDigest(integrity = ''): Buffer | undefined {
  const [, text = ''] =
    /(?:^|\s)sha512-([A-Za-z0-9+/]{86}==)(?:\?\S*)?(?:\s|$)/.exec(integrity) ?? []
  const digest = Buffer.from(text, 'base64')
  return digest.length === digestBytes ? digest : undefined
}

interface Transfer {
  readonly toFile: string
  onProgress(doneBytes: number, totalBytes: number | undefined): void
  readonly signal: AbortSignal
}

/** Downloads the file, without redirects. Refuses bytes with another digest. */
export async function download(
  { outbound }: Pick<UpdateNeeds, 'outbound'>,
  { url, algorithm, digest, bytes }: RemoteFile,
  { toFile, onProgress, signal }: Transfer,
): Promise<void> {
  const hash = createHash(algorithm)
  const handle = await open(toFile, 'wx', 0o600)
  try {
    const { status, headers, body } = await outbound.open(url, {
      maxBytes: bytes ?? maxBytes,
      timeoutMs,
      idleMs,
      signal,
    })
    if (status !== 200) throw failed(`status ${status}`)
    const total = bytes ?? (Number(headers['content-length']) || undefined)
    let done = 0
    for await (const chunk of body) {
      hash.update(chunk)
      await handle.write(chunk)
      done += chunk.byteLength
      onProgress(done, total)
    }
    await handle.sync()
  } catch (error) {
    throw error instanceof Refusal ? explain(error, bytes) : error
  } finally {
    await handle.close()
  }
  if (!hash.digest().equals(digest)) throw mismatch()
}

/** More bytes than promised are other bytes. */
function explain({ code, message }: Refusal, bytes: number | undefined): UpdateFailure {
  return bytes !== undefined && code === 'outbound_too_large' ? mismatch() : failed(message)
}

function mismatch(): UpdateFailure {
  return new UpdateFailure(
    'checksum_mismatch',
    'The downloaded file has another digest than the source gives. Nothing was installed.',
  )
}

function failed(why: string): UpdateFailure {
  return new UpdateFailure('download_failed', `The file was not downloaded: ${why}`)
}
