import { createReadStream } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { skillFile } from '../installed.ts'
import {
  addEntry,
  assertEntryName,
  maxBytes,
  PackageRejected,
  type PackageTotals,
} from './limits.ts'

const maxRatio = 100
/** Headers and padding of many small files. */
const maxUnpackedBytes = maxBytes + 8_388_608
const folderTypes = ['Directory', 'GNUDumpDir']

/** Unpacks a compressed tar archive into an empty folder, and returns the folder of its skill. */
export async function unpackArchive(archive: string, folder: string): Promise<string> {
  const { size } = await stat(archive)
  const admitted: Admitted = {
    totals: { files: 0, bytes: 0, depth: 1 },
    names: new Map(),
    folders: new Set(),
  }
  let writes: Promise<unknown> = Promise.resolve()
  const parser = new Parser({
    strict: true,
    gzip: false,
    brotli: false,
    onReadEntry: (entry) => {
      try {
        const place = admit(entry, admitted)
        const content = place?.isFile ? entry.concat() : undefined
        if (content === undefined) entry.resume()
        // One after the other, because a folder comes before its files.
        if (place) writes = writes.then(async () => write(folder, place, await content))
        writes.catch((error: Error) => parser.abort(error))
      } catch (error) {
        parser.abort(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  const bytes = new PassThrough()
  bytes.on('data', (chunk: Buffer) => parser.write(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', resolve)
    parser.on('error', reject)
  })
  const read = pipeline(createReadStream(archive), createGunzip(), limitBytes(size), bytes)
  try {
    await Promise.all([read.then(() => parser.end()), ended])
  } catch (error) {
    throw toRejection(error)
  }
  await writes
  return findSkill(folder)
}

function limitBytes(compressed: number): Transform {
  let unpacked = 0
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      unpacked += chunk.length
      const isBomb =
        unpacked > maxUnpackedBytes || unpacked > Math.max(compressed * maxRatio, 65_536)
      done(isBomb ? new PackageRejected('it is compressed too strongly') : null, chunk)
    },
  })
}

/** What the entries so far have in common. */
interface Admitted {
  readonly totals: PackageTotals
  /** Names by the path of their folder, to find two that differ by their case. */
  readonly names: Map<string, Set<string>>
  /** Paths of folders. */
  readonly folders: Set<string>
}

interface Place {
  readonly segments: readonly string[]
  readonly isFile: boolean
  readonly isExecutable: boolean
}

/** Checks an entry before its content is read. Undefined for headers of the archive itself. */
function admit(entry: ReadEntry, admitted: Admitted): Place | undefined {
  if (entry.meta || entry.ignore) return undefined
  const isFile = entry.type === 'File' || entry.type === 'OldFile'
  if (!isFile && !folderTypes.includes(entry.type))
    throw new PackageRejected('it contains a link, a device or a pipe')
  const segments = toSegments(entry.path)
  const parents = isFile ? segments.slice(0, -1) : segments
  for (const [index, name] of parents.entries())
    admitFolder(admitted, parents.slice(0, index), name)
  if (isFile) admitName(admitted, { parents, name: segments.at(-1) ?? '', bytes: entry.size })
  return { segments, isFile, isExecutable: ((entry.mode ?? 0) & 0o100) !== 0 }
}

function admitFolder(admitted: Admitted, parents: readonly string[], name: string): void {
  const path = [...parents, name].join('/')
  if (admitted.folders.has(path)) return
  admitName(admitted, { parents, name, bytes: 0 })
  admitted.folders.add(path)
}

interface NewName {
  readonly parents: readonly string[]
  readonly name: string
  readonly bytes: number
}

function admitName({ totals, names }: Admitted, { parents, name, bytes }: NewName): void {
  const folder = parents.join('/')
  const siblings = names.get(folder) ?? new Set()
  names.set(folder, siblings)
  assertEntryName(name, siblings)
  addEntry({ ...totals, depth: parents.length + 1 }, 0)
  addEntry(totals, bytes)
}

function toSegments(path: string): readonly string[] {
  if (path.startsWith('/')) throw new PackageRejected('it contains an absolute path')
  return path.split('/').filter((segment) => segment !== '' && segment !== '.')
}

async function write(folder: string, place: Place, content: Buffer | undefined): Promise<void> {
  const { segments, isFile, isExecutable } = place
  const parents = isFile ? segments.slice(0, -1) : segments
  await mkdir(join(folder, ...parents), { recursive: true, mode: 0o700 })
  if (content === undefined) return
  const mode = isExecutable ? 0o700 : 0o600
  await writeFile(join(folder, ...segments), content, { flag: 'wx', mode })
}

/** The root of the archive, or its only folder. */
async function findSkill(folder: string): Promise<string> {
  const names = await readdir(folder)
  const [only = ''] = names
  if (names.includes(skillFile) || names.length !== 1) return folder
  return join(folder, only)
}

function toRejection(error: unknown): PackageRejected {
  if (error instanceof PackageRejected) return error
  return new PackageRejected('it is no readable archive')
}
