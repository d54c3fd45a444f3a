import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { hasCode } from '../../kernel/errors/system-error.ts'
import type { Host } from '../../kernel/host/host.ts'
import { type Git, listLimits, mutateTimeoutMs } from './git.ts'
import type { Scratch } from './scratch.ts'

/** A file of a tree; the object is empty for a removed path. */
export interface Entry {
  readonly path: string
  readonly mode: string
  readonly object: string
}

/** A path that differs between two trees; a missing side has the mode 000000. */
export interface Change {
  readonly path: string
  readonly before: Omit<Entry, 'path'>
  readonly after: Omit<Entry, 'path'>
}

export const absentMode = '000000'

/** A plain file or a program; not a link and not a repository. */
export function isRegular(mode: string): boolean {
  return mode === '100644' || mode === '100755'
}

export function splitList(text: string): string[] {
  return text.split('\0').filter((part) => part !== '')
}

/** Lists the changes between two trees or commits. */
export async function listChanges(git: Git, before: string, after: string): Promise<Change[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before, after]
  return parseRaw(await git.read([...args, '--'], listLimits))
}

/** Parses the raw form: `:100644 100644 <object> <object> M`, NUL, path, NUL. */
export function parseRaw(text: string): Change[] {
  const parts = splitList(text)
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => {
    const [oldMode = '', newMode = '', oldObject = '', newObject = ''] = (parts[index * 2] ?? '')
      .replace(/^:/, '')
      .split(' ')
    return {
      path: parts[index * 2 + 1] ?? '',
      before: { mode: oldMode, object: oldObject },
      after: { mode: newMode, object: newObject },
    }
  })
}

/** Reads the entries of a tree, all or those of the paths. */
export async function readEntries(
  git: Git,
  tree: string,
  paths: readonly string[] = [],
): Promise<Entry[]> {
  const text = await git.read(
    ['ls-tree', '-r', '-z', '--full-tree', tree, '--', ...paths],
    listLimits,
  )
  return splitList(text).map(parseEntry)
}

/** `100644 blob <object>`, tab, path */
function parseEntry(line: string): Entry {
  const [fields = '', path = ''] = splitOnce(line, '\t')
  const [mode = '', , object = ''] = fields.split(' ')
  return { mode, object, path }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** Reads a text; undefined for bytes that are not UTF-8, or too many. */
export async function readBlob(git: Git, object: string): Promise<string | undefined> {
  const { code, stdout } = await git.run(['cat-file', 'blob', object], listLimits)
  return code === 0 && hashText(stdout, object.length) === object ? stdout : undefined
}

export async function writeBlob(git: Git, text: string): Promise<string> {
  const input = { input: text, timeoutMs: mutateTimeoutMs }
  return await git.read(['hash-object', '-w', '--no-filters', '--stdin'], input)
}

const sha256Length = 64

function createObjectHash(size: number, objectLength: number) {
  return createHash(objectLength === sha256Length ? 'sha256' : 'sha1').update(`blob ${size}\0`)
}

function hashText(text: string, objectLength: number): string {
  const bytes = Buffer.from(text)
  return createObjectHash(bytes.length, objectLength).update(bytes).digest('hex')
}

/** The mode and the object of a file on disk, as git would store it. */
export async function readFileState(
  file: string,
  objectLength: number,
): Promise<Omit<Entry, 'path'> | 'other'> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    throw error
  })
  if (stats === undefined) return { mode: absentMode, object: '' }
  if (!stats.isFile()) return 'other'
  const hash = createObjectHash(stats.size, objectLength)
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return { mode: stats.mode & 0o100 ? '100755' : '100644', object: hash.digest('hex') }
}

/** Returns a tree with these entries replaced; those without an object are removed. */
export async function editTree(
  { git, withIndex }: Scratch,
  tree: string,
  entries: readonly Entry[],
): Promise<string> {
  if (entries.length === 0) return tree
  await git.read(['read-tree', tree], withIndex('edit', { timeoutMs: mutateTimeoutMs }))
  const input = entries
    .map(({ mode, object, path }) =>
      object === '' ? `0 ${'0'.repeat(tree.length)}\t${path}\0` : `${mode} ${object}\t${path}\0`,
    )
    .join('')
  await git.read(
    ['update-index', '-z', '--index-info'],
    withIndex('edit', { ...listLimits, input }),
  )
  return await git.read(['write-tree'], withIndex('edit', listLimits))
}

interface Commit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
}

/** Creates a commit with the identity of the user, or that of the service. */
export async function createCommit(
  git: Git,
  host: Pick<Host, 'now'>,
  { tree, parents, message }: Commit,
): Promise<string> {
  const date = host.now().toISOString()
  const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, ...(await readIdentity(git)) }
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]
  return await git.read(args, { input: message, env, timeoutMs: mutateTimeoutMs })
}

async function readIdentity(git: Git): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await git.run([
    'config',
    '--name-only',
    '--get-regexp',
    '^user\\.(name|email)$',
  ])
  if (stdout.includes('user.name') && stdout.includes('user.email')) return {}
  const [ownName, ownEmail] = ['Reverie', 'reverie@localhost']
  return {
    GIT_AUTHOR_NAME: ownName,
    GIT_AUTHOR_EMAIL: ownEmail,
    GIT_COMMITTER_NAME: ownName,
    GIT_COMMITTER_EMAIL: ownEmail,
  }
}
