import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { makeFolder } from '../../kernel/files/folders.ts'
import { exists } from '../../kernel/files/optional-files.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import type { GitConfig } from './config.ts'
import { GitFailure } from './failure.ts'
import type { Git } from './git.ts'
import { splitList } from './objects.ts'
import type { ProtectedPaths } from './paths.ts'

/** Settings of a repository that run no program and name no file outside it. */
const allowedSettings = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)$/,
  /^remote\.[^\n]+\.(?:url|pushurl|fetch)$/,
  /^branch\.[^\n]+\.(?:remote|merge|rebase|description)$/,
  /^user\.(?:name|email)$/,
  /^init\.defaultbranch$/,
  /^pull\.(?:rebase|ff)$/,
  /^push\.(?:default|followtags|autosetupremote)$/,
  /^gc\.auto$/,
  /^extensions\.(?:objectformat|refstorage)$/,
]

export type RepositoryProblem = 'not_a_repository' | 'not_ours' | 'linked'

/**
 * Whether the workspace is a repository of its own: `.git` is a folder of this user without links,
 * which could lead out of it. Runs nothing.
 */
export async function findRepositoryProblem({
  gitDir,
}: Git): Promise<RepositoryProblem | undefined> {
  const stats = await lstat(gitDir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (stats === undefined) return 'not_a_repository'
  if (!stats.isDirectory()) return 'linked'
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user) return 'not_ours'
  const entries = await readdir(gitDir, { withFileTypes: true })
  const isLinked = (name: string, isLink: boolean) => isLink || name === 'commondir'
  return entries.some((entry) => isLinked(entry.name, entry.isSymbolicLink()))
    ? 'linked'
    : undefined
}

/** The settings of the repository itself: names in lower case and values, in their order. */
export type RepositorySettings = readonly (readonly [name: string, value: string])[]

/**
 * Throws unless git may read the repository without running anything that it defines. Returns its
 * settings.
 */
export async function assertSafeRepository(git: Git): Promise<RepositorySettings> {
  const problem = await findRepositoryProblem(git)
  if (problem === 'linked') throw new GitFailure('not_a_repository', { details: ['.git'] })
  if (problem !== undefined) throw new GitFailure(problem)
  if (await exists(join(git.gitDir, 'objects', 'info', 'alternates')))
    throw new GitFailure('git_config_unsafe', { details: ['objects/info/alternates'] })
  const settings = await readSettings(git)
  const names = [...new Set(settings.map(([name]) => name))]
  const unsafe = names.filter((name) => !allowedSettings.some((allowed) => allowed.test(name)))
  if (unsafe.length > 0) throw new GitFailure('git_config_unsafe', { details: unsafe.slice(0, 50) })
  await writeAttributes(git)
  return settings
}

export async function readSettings(git: Git): Promise<RepositorySettings> {
  const list = await git.read(['config', '--local', '--list', '-z'])
  return splitList(list).map((entry) => {
    // A name without a value has no line break.
    const [name = '', ...value] = entry.split('\n')
    return [name, value.join('\n')]
  })
}

const attributesLine = '* -filter !merge !diff -text -ident -working-tree-encoding -export-subst'
const attributesMark = '# Reverie: no filter and no merge driver of this repository runs.'

/** The last line of this file outranks every `.gitattributes`. */
async function writeAttributes({ gitDir }: Git): Promise<void> {
  const file = join(gitDir, 'info', 'attributes')
  const block = `${attributesMark}\n${attributesLine}\n`
  const before = await readPlain(file)
  if (before.endsWith(block)) return
  await makeFolder(join(gitDir, 'info'))
  const rest = before.replaceAll(block, '')
  const gap = rest === '' || rest.endsWith('\n') ? '' : '\n'
  await replaceFile(file, `${rest}${gap}${block}`)
}

const blockStart = '# Reverie: begin of files that are never synchronised'
const blockEnd = '# Reverie: end'

/** Writes the marked block of `.gitignore`; each other byte stays. */
export async function writeIgnoreBlock(folder: string, paths: ProtectedPaths): Promise<void> {
  const file = join(folder, '.gitignore')
  const before = await readPlain(file)
  const block = [blockStart, ...paths.ignoreLines, blockEnd, ''].join('\n')
  if (before.includes(block)) return
  const start = before.indexOf(`${blockStart}\n`)
  const end = before.indexOf(`${blockEnd}\n`, start)
  const isMarked = start >= 0 && end >= 0
  const head = isMarked ? before.slice(0, start) : before
  const tail = isMarked ? before.slice(end + blockEnd.length + 1) : ''
  const gap = head === '' || head.endsWith('\n') ? '' : '\n'
  await replaceFile(file, `${head}${gap}${block}${tail}`, 0o644)
}

/** Throws for a link or a folder. */
async function readPlain(file: string): Promise<string> {
  try {
    if (!(await lstat(file)).isFile()) throw new GitFailure('not_a_repository', { details: [file] })
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}

const busyMarks = [
  'MERGE_HEAD',
  'rebase-merge',
  'rebase-apply',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
]

/** The state of the branch; `head` is null before the first commit. */
export interface Branch {
  readonly name: string | null
  readonly head: string | null
}

export async function readBranch(git: Git): Promise<Branch> {
  const [name, head] = await Promise.all([
    git.run(['symbolic-ref', '-q', 'HEAD']),
    findCommit(git, 'HEAD'),
  ])
  const ref = name.stdout.trim()
  return { name: ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null, head }
}

/** Throws when the user is in the middle of a merge, or has checked out another branch. */
export async function assertQuiet(git: Git, { branch }: GitConfig): Promise<Branch> {
  for (const mark of busyMarks)
    if (await exists(join(git.gitDir, mark))) throw new GitFailure('git_busy', { details: [mark] })
  const current = await readBranch(git)
  if (current.name === null) throw new GitFailure('git_busy', { details: ['HEAD is detached'] })
  if (current.name !== branch) throw new GitFailure('wrong_branch', { details: [current.name] })
  return current
}

export async function findCommit(git: Git, revision: string): Promise<string | null> {
  const args = ['rev-parse', '-q', '--verify', '--end-of-options', `${revision}^{commit}`]
  const { code, stdout } = await git.run(args)
  return code === 0 ? stdout.trim() : null
}
