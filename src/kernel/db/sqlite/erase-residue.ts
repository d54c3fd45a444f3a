import { closeSync, existsSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * Overwrites the unused bytes within the pages of a SQLite file. SQLite overwrites what it deletes, but
 * not the copies that stay behind when it moves rows between pages. For a file that no connection has
 * open; does nothing while another process uses it. Returns the number of bytes.
 */
export function eraseResidue(file: string): number {
  if (!existsSync(file) || statSync(file).size === 0) return 0
  const lock = lockFile(file)
  if (!lock) return 0
  const descriptor = openSync(file, 'r+')
  try {
    return eraseUnused(descriptor)
  } finally {
    // Releases the lock, too: POSIX locks end with any descriptor of the file.
    closeSync(descriptor)
    lock.close()
  }
}

/** Keeps every other process out, and moves the log into the file. */
function lockFile(file: string): Sqlite.Database | undefined {
  const sqlite = new Sqlite(file, { timeout: 0 })
  try {
    sqlite.pragma('wal_checkpoint(truncate)')
    sqlite.pragma('locking_mode = exclusive')
    sqlite.exec('begin exclusive')
    return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ? refuse(sqlite) : sqlite
  } catch (error) {
    sqlite.close()
    if (error instanceof Sqlite.SqliteError) return undefined
    throw error
  }
}

function refuse(sqlite: Sqlite.Database): undefined {
  sqlite.close()
}

interface Format {
  readonly pageSize: number
  /** Without the reserved bytes at the end. */
  readonly usable: number
  readonly pages: number
  /** SQLite never uses this page. */
  readonly lockPage: number
}

/** 1 MiB. */
const pagesPerRead = 256

function eraseUnused(descriptor: number): number {
  const format = readFormat(descriptor)
  if (!format) return 0
  const zeros = Buffer.alloc(format.pageSize)
  let count = 0
  for (const { number, page } of readTreePages(descriptor, format))
    for (const [start, end] of listUnused(page, number, format)) {
      if (page.subarray(start, end).equals(zeros.subarray(start, end))) continue
      const at = (number - 1) * format.pageSize + start
      count += writeSync(descriptor, zeros, start, end - start, at)
    }
  if (count > 0) fsyncSync(descriptor)
  return count
}

/** The pages of tables and indexes. */
function* readTreePages(descriptor: number, format: Format): Generator<Page> {
  let map: Buffer | undefined
  for (const page of readPages(descriptor, format)) {
    if (page.number > format.pages) return
    if (isMapPage(format, page.number)) map = Buffer.from(page.page)
    else if (isTreePage(format, page.number, map)) yield page
  }
}

interface Page {
  /** From 1. */
  readonly number: number
  readonly page: Buffer
}

function* readPages(descriptor: number, { pageSize }: Format): Generator<Page> {
  const block = Buffer.alloc(pagesPerRead * pageSize)
  for (let first = 1; ; first += pagesPerRead) {
    const length = readSync(descriptor, block, 0, block.length, (first - 1) * pageSize)
    for (let at = 0; at + pageSize <= length; at += pageSize)
      yield { number: first + at / pageSize, page: block.subarray(at, at + pageSize) }
    if (length < block.length) return
  }
}

/** Undefined for a file without pointer maps, whose kinds of pages are not known. */
function readFormat(descriptor: number): Format | undefined {
  const header = Buffer.alloc(100)
  if (readSync(descriptor, header, 0, 100, 0) < 100) return undefined
  const stored = header.readUInt16BE(16)
  const pageSize = stored === 1 ? 65_536 : stored
  const hasMaps = header.readUInt32BE(52) !== 0
  if (!header.toString('latin1').startsWith('SQLite format 3\0') || !hasMaps) return undefined
  const lockPage = 0x4000_0000 / pageSize + 1
  const usable = pageSize - header.readUInt8(20)
  return { pageSize, usable, lockPage, pages: header.readUInt32BE(28) }
}

const entrySize = 5
const kindsOfTrees = new Set([1, 5])

/** The number of the pointer map that describes a page. */
function mapOf({ usable, lockPage }: Format, number: number): number {
  const span = Math.floor(usable / entrySize) + 1
  const map = Math.floor((number - 2) / span) * span + 2
  return map === lockPage ? map + 1 : map
}

function isMapPage(format: Format, number: number): boolean {
  return number > 1 && mapOf(format, number) === number
}

/** Whether the page is part of a table or an index: others hold raw content. */
function isTreePage(format: Format, number: number, map: Buffer | undefined): boolean {
  if (number === 1) return true
  if (number === format.lockPage || !map) return false
  const at = (number - mapOf(format, number) - 1) * entrySize
  return at >= 0 && at + entrySize <= format.usable && kindsOfTrees.has(map.readUInt8(at))
}

const headerSizes = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
])

type Range = readonly [start: number, end: number]

/** The gap before the cells, and the free blocks between them. Nothing for an unexpected page. */
function listUnused(page: Buffer, number: number, { usable }: Format): readonly Range[] {
  const header = number === 1 ? 100 : 0
  const size = headerSizes.get(page.readUInt8(header))
  if (size === undefined) return []
  const cells = page.readUInt16BE(header + 3)
  const content = page.readUInt16BE(header + 5) || 65_536
  const start = header + size + 2 * cells
  if (start > content || content > usable) return []
  const ranges: Range[] = [[start, content]]
  let end = content
  for (let at = page.readUInt16BE(header + 1); at !== 0; ) {
    if (at < end || at + 4 > usable) return []
    const length = page.readUInt16BE(at + 2)
    end = at + length
    if (length < 4 || end > usable) return []
    ranges.push([at + 4, end])
    at = page.readUInt16BE(at)
  }
  return ranges
}
