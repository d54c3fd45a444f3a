import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { create, list, type ReadEntry } from 'tar'

/** The form of `manifest.json`; every other file of the archive is listed in it. */
export interface Manifest {
  readonly format: 1
  readonly version: string
  readonly created_at: string
  readonly files: readonly FileRecord[]
}

interface FileRecord {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export const manifestName = 'manifest.json'

export async function writeArchive(archive: string, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== manifestName)
  const options = { gzip: true, portable: true, cwd: folder, file: archive, mode: 0o600 }
  await create(options, [manifestName, ...names.toSorted()])
}

/** Reads the archive back; throws unless each file is in it once, byte by byte. */
export async function verifyArchive(archive: string, { files }: Manifest): Promise<void> {
  const found = new Map<string, string>()
  const reading: Promise<void>[] = []
  const onReadEntry = (entry: ReadEntry) => {
    if (entry.type === 'Directory' || entry.path === manifestName) return entry.resume()
    const hash = createHash('sha256')
    const ended = Promise.withResolvers<void>()
    reading.push(ended.promise)
    entry.on('data', (part) => hash.update(part))
    entry.on('end', () => {
      found.set(posix.normalize(entry.path), hash.digest('hex'))
      ended.resolve()
    })
  }
  await list({ file: archive, strict: true, onReadEntry })
  await Promise.all(reading)
  const differing = files.find(({ path, sha256 }) => found.get(path) !== sha256)
  if (differing) throw new Error(`The archive does not hold ${differing.path} as it was.`)
  if (found.size !== files.length) throw new Error('The archive holds what is not listed.')
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
