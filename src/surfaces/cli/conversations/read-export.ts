import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { JSONParser } from '@streamparser/json'
import { Unzip, UnzipInflate } from 'fflate'
import { explainError } from '../../../kernel/errors/system-error.ts'
import {
  type Conversation,
  detectListFormat,
  detectRecordFormat,
  type ListFormat,
  listFormats,
  type SessionFormat,
  sessionFormats,
} from '../../../transcript-formats/index.ts'
import { CliError } from '../failure.ts'
import { readLines } from '../read-lines.ts'

export const exportFormats = ['svc', 'chatgpt', 'claude', 'claude-code', 'codex', 'gemini'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** A conversation; `undefined` for something that holds none. */
export interface ReadExport {
  readonly from: ExportFormat
  readonly conversation: Conversation | undefined
}

const maxSessionBytes = 268_435_456
const maxRecordBytes = 16_777_216
const sessionExtensions = ['.jsonl', '.json']

/** Whether a path holds lines of the own format, which are uploaded as they are. */
export async function isOwnExport(path: string): Promise<boolean> {
  if ((await statPath(path)).isDirectory() || (await readBeginning(path)).startsWith('['))
    return false
  for await (const { text } of readLines(createReadStream(path), maxRecordBytes))
    if (text) return detectRecordFormat(toRecords(text)) === 'svc'
  return false
}

/** Reads a file or a folder of session files; one conversation in memory. */
export async function* readExport(path: string, from?: ExportFormat): AsyncGenerator<ReadExport> {
  if ((await statPath(path)).isDirectory()) return yield* readFolder(path, from)
  const beginning = await readBeginning(path)
  if (beginning.startsWith('PK')) return yield* readElements(unzip(path), from)
  if (beginning.trimStart().startsWith('['))
    return yield* readElements(createReadStream(path), from)
  yield await readSession(path, from)
}

async function statPath(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    throw new CliError('usage', 'unreadable', `${path} cannot be read`, explainError(error))
  }
}

async function readBeginning(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } finally {
    await file.close()
  }
}

async function* readFolder(folder: string, from?: ExportFormat): AsyncGenerator<ReadExport> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && sessionExtensions.includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) yield await readSession(file, from)
}

/** A file that no program has written as a session holds no conversation. */
async function readSession(path: string, from?: ExportFormat): Promise<ReadExport> {
  const { size } = await statPath(path)
  const records = size > maxSessionBytes ? [] : await readRecords(path)
  const format = from ?? detectRecordFormat(records) ?? 'svc'
  const name = basename(path, extname(path))
  const conversation = isSessionFormat(format) ? sessionFormats[format](records, name) : undefined
  return { from: format, conversation }
}

function isSessionFormat(format: string): format is SessionFormat {
  return Object.hasOwn(sessionFormats, format)
}

async function readRecords(path: string): Promise<readonly Record<string, unknown>[]> {
  const records = []
  const texts = []
  for await (const { text } of readLines(createReadStream(path), maxRecordBytes)) {
    records.push(...toRecords(text))
    texts.push(text)
  }
  return records.length > 0 ? records : toRecords(texts.join('\n'))
}

function toRecords(text: string | undefined): readonly Record<string, unknown>[] {
  if (!text?.startsWith('{')) return []
  try {
    return [JSON.parse(text)]
  } catch {
    // A line that a program has not finished, or part of an indented document.
    return []
  }
}

async function* readElements(
  chunks: AsyncIterable<Uint8Array>,
  from?: ExportFormat,
): AsyncGenerator<ReadExport> {
  for await (const element of parseList(chunks)) {
    const format = from ?? detectListFormat(element)
    if (!format || !isListFormat(format))
      throw new CliError(
        'usage',
        'unknown_format',
        'The file is no export of ChatGPT or Claude.',
        'Name its program with --from, or convert it: see docs/imports.md',
      )
    yield { from: format, conversation: listFormats[format](element) }
  }
}

function isListFormat(format: string): format is ListFormat {
  return Object.hasOwn(listFormats, format)
}

/** The elements of a list, without the whole document in memory. */
async function* parseList(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let waiting: unknown[] = []
  let fault: Error | undefined
  parser.onValue = ({ value }) => {
    waiting.push(value)
  }
  parser.onError = (error) => {
    fault ??= error
  }
  for await (const chunk of chunks) {
    parser.write(chunk)
    if (fault) throw new CliError('usage', 'not_json', `The file is no JSON: ${fault.message}`)
    yield* waiting
    waiting = []
  }
}

/** The bytes of `conversations.json` in an archive. */
async function* unzip(path: string): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let isFound = false
  let fault: Error | undefined
  const archive = new Unzip((file) => {
    if (basename(file.name) !== 'conversations.json') return
    isFound = true
    file.ondata = (error, chunk) => {
      fault ??= error ?? undefined
      waiting.push(chunk)
    }
    file.start()
  })
  archive.register(UnzipInflate)
  for await (const chunk of createReadStream(path)) {
    archive.push(chunk)
    if (fault) throw new CliError('usage', 'unreadable', `${path} is damaged: ${fault.message}`)
    yield* waiting
    waiting = []
  }
  if (!isFound)
    throw new CliError('usage', 'unknown_format', `${path} contains no conversations.json`)
}
