import { readFile } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { parseDocument } from 'yaml'
import type { Host } from '../../../../kernel/host/host.ts'
import { hashOf } from '../../source.ts'
import type { SourceItem } from '../kind.ts'
import { isGone, readState, type VaultFile } from './scan.ts'

const settleMs = 250
const maxReads = 5
const maxFrontMatter = 65_536
const maxAliases = 100
const maxLinks = 500

export interface Note {
  readonly file: VaultFile
  readonly text: string
  readonly sha256: string
  readonly warnings: readonly string[]
}

/** Reads a listed note once it no longer changes. Returns undefined for a file that is gone. */
export async function readNote(host: Host, listed: VaultFile): Promise<Note | undefined> {
  let before = listed
  for (let read = 0; ; read++) {
    const bytes = await readBytes(listed.path)
    const after = bytes && (await readState(listed.path))
    if (!after) return undefined
    const isSettled =
      after.size === before.size && after.mtimeMs === before.mtimeMs && bytes.length === after.size
    if (isSettled || read >= maxReads) return { file: after, ...decode(bytes) }
    before = after
    await host.sleep(settleMs)
  }
}

async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

function decode(bytes: Buffer): Omit<Note, 'file'> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, sha256: hashOf(text), warnings: [] }
  } catch {
    // A note in another encoding is read as the most frequent one.
    const text = new TextDecoder('windows-1252').decode(bytes)
    return { text, sha256: hashOf(text), warnings: ['encoding_guessed'] }
  }
}

const conflictMark = /^(?<name>.+?)(?: \([^)]*conflicted copy[^)]*\)|\.sync-conflict-[\w-]+)$/i

/** The item of a note: its title is the file name, its front matter and links are metadata. */
export function toNoteItem({ file, text, warnings }: Note): SourceItem {
  const title = basename(file.path, extname(file.path))
  const frontMatter = readFrontMatter(text)
  const conflictOf = conflictMark.exec(title)?.groups?.['name']
  const links = listLinks(text)
  const all = [...warnings, ...(frontMatter.warning ? [frontMatter.warning] : [])]
  return {
    path: file.path,
    parentPath: dirname(file.path),
    type: 'markdown',
    title: [title, ...frontMatter.aliases].join(', '),
    content: text,
    mtimeMs: file.mtimeMs,
    meta: {
      ...(frontMatter.tags.length > 0 && { tags: frontMatter.tags }),
      ...(frontMatter.aliases.length > 0 && { aliases: frontMatter.aliases }),
      ...(links.length > 0 && { links }),
      ...(conflictOf !== undefined && { conflictOf }),
      ...(all.length > 0 && { warnings: all }),
    },
  }
}

interface FrontMatter {
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  readonly warning?: string
}

const noFrontMatter: FrontMatter = { tags: [], aliases: [] }

function readFrontMatter(text: string): FrontMatter {
  const start = text.slice(0, maxFrontMatter + 8)
  const yaml = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(
    start,
  )
  const source = yaml?.groups?.['yaml']
  if (source === undefined) return noFrontMatter
  try {
    const document = parseDocument(source, { schema: 'core', logLevel: 'silent' })
    if (document.errors.length > 0) return { ...noFrontMatter, warning: 'front_matter_unreadable' }
    const fields = Object(document.toJS({ maxAliasCount: maxAliases }))
    return {
      tags: toNames(fields.tags ?? fields.tag),
      aliases: toNames(fields.aliases ?? fields.alias),
    }
  } catch {
    // Too many aliases; the words after the front matter are indexed.
    return { ...noFrontMatter, warning: 'front_matter_unreadable' }
  }
}

function toNames(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : [value].flat()
  return list
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).trim().replace(/^#/, '').slice(0, 200))
    .filter((one) => one !== '')
    .slice(0, maxAliases)
}

const wikiLink = /!?\[\[([^\][|#\n]{1,300})(?:#[^\][|\n]{0,300})?(?:\|[^\][\n]{0,300})?\]\]/g
const markdownLink = /\]\((?!\w+:|#|\/)([^()\s]{1,300}?\.(?:md|markdown))(?:#[^()\s]*)?\)/gi

/** Targets of links to other notes, in order, each once. */
function listLinks(text: string): string[] {
  const targets = [...text.matchAll(wikiLink), ...text.matchAll(markdownLink)]
    .toSorted((a, b) => a.index - b.index)
    .map(([, target = '']) => decodeTarget(target.trim()))
  return [...new Set(targets)].slice(0, maxLinks)
}

function decodeTarget(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    // A percent sign that encodes nothing.
    return target
  }
}
