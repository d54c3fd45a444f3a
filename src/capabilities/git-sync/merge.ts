import { configFileNames } from '../../kernel/config/workspace.ts'
import { GitFailure, toGitFailure } from './failure.ts'
import { type Git, listBytes, mutateTimeoutMs } from './git.ts'
import type { GitSyncNeeds } from './needs.ts'
import {
  type Entry,
  editTree,
  isRegular,
  readBlob,
  readEntries,
  splitList,
  writeBlob,
} from './objects.ts'
import { isGenerated, toCopyPath } from './paths.ts'
import type { Scratch } from './scratch.ts'
import { isSettingsFile, mayApplySettings } from './settings-rule.ts'

export interface Conflict {
  readonly path: string
  readonly resolution: 'ours' | 'union' | 'both' | 'changed'
  /** Where the other version is. */
  readonly copyPath?: string
}

export interface MergeInput {
  /** The common commit; null before the first one. */
  readonly base: string | null
  readonly ours: string
  readonly theirs: string
  /** Names the copies of the incoming versions. */
  readonly label: string
}

export interface MergeResult {
  readonly tree: string
  readonly conflicts: readonly Conflict[]
}

/** The versions of a path; an absent one was removed, or never was. */
interface Versions {
  readonly path: string
  base?: Entry
  ours?: Entry
  theirs?: Entry
}

interface Resolution {
  readonly conflict: Conflict
  readonly entries: readonly Entry[]
}

interface MergeNeeds {
  readonly scratch: Scratch
  readonly settings: GitSyncNeeds['settings']
}

/** Merges two commits without the files of the workspace, and resolves every conflict by a rule. */
export async function mergeCommits(needs: MergeNeeds, input: MergeInput): Promise<MergeResult> {
  const { scratch } = needs
  const merged = await runMerge(scratch, input)
  const resolutions: Resolution[] = []
  for (const versions of merged.conflicts)
    resolutions.push(await resolveConflict(scratch, versions, input.label))
  const settled = new Set(merged.conflicts.map(({ path }) => path))
  for (const name of configFileNames) {
    if (settled.has(name)) continue
    const versions = await readVersions(scratch, { ...input, path: name })
    if (await isForeignSetting(needs, versions, merged.tree))
      resolutions.push(resolveBoth(versions, input.label))
  }
  const entries = resolutions.flatMap(({ entries }) => entries)
  const tree = await editTree(scratch, merged.tree, entries)
  return { tree, conflicts: resolutions.map(({ conflict }) => conflict) }
}

async function runMerge({ git }: Scratch, { base, ours, theirs }: MergeInput) {
  const unrelated = base === null ? ['--allow-unrelated-histories'] : []
  const options = ['--write-tree', '-z', '--no-messages', ...unrelated]
  const { code, stdout, stderr } = await git.run(['merge-tree', ...options, ours, theirs], {
    maxOutputBytes: listBytes,
    timeoutMs: mutateTimeoutMs,
  })
  const [tree = '', ...lines] = splitList(stdout)
  if (code > 1 || !/^[0-9a-f]{40,64}$/.test(tree))
    throw toGitFailure(stderr || stdout, 'repository_damaged')
  return { tree, conflicts: code === 0 ? [] : parseStages(lines) }
}

const stageNames = { 1: 'base', 2: 'ours', 3: 'theirs' } as const

/** Parses lines such as `100644 <object> 2`, tab, path. */
function parseStages(lines: readonly string[]): Versions[] {
  const byPath = new Map<string, Versions>()
  for (const line of lines) {
    const [, mode, object, stage, path] = /^(\d{6}) ([0-9a-f]+) ([123])\t(.*)$/s.exec(line) ?? []
    if (mode === undefined || object === undefined || path === undefined)
      throw new GitFailure('repository_damaged', { output: 'unexpected output of merge-tree' })
    const versions = byPath.get(path) ?? { path }
    versions[stageNames[Number(stage) as 1 | 2 | 3]] = { mode, object, path }
    byPath.set(path, versions)
  }
  return [...byPath.values()]
}

async function readVersions(
  { git }: Scratch,
  { base, ours, theirs, path }: MergeInput & { readonly path: string },
): Promise<Versions> {
  const read = async (commit: string | null) =>
    commit === null ? undefined : (await readEntries(git, commit, [path]))[0]
  const [first, second, third] = [await read(base), await read(ours), await read(theirs)]
  return {
    path,
    ...(first && { base: first }),
    ...(second && { ours: second }),
    ...(third && { theirs: third }),
  }
}

/** The first rule that matches decides. */
async function resolveConflict(
  scratch: Scratch,
  versions: Versions,
  label: string,
): Promise<Resolution> {
  const { path, ours, theirs } = versions
  if (isGenerated(path) && ours) return { conflict: { path, resolution: 'ours' }, entries: [ours] }
  if (ours && theirs && path.endsWith('.jsonl')) {
    const united = await uniteLines(scratch.git, ours, theirs)
    if (united) return { conflict: { path, resolution: 'union' }, entries: [united] }
  }
  const only = ours ?? theirs
  if (!only) return { conflict: { path, resolution: 'ours' }, entries: [] }
  if (!ours || !theirs)
    return isSettingsFile(path)
      ? resolveBoth(versions, label)
      : { conflict: { path, resolution: 'changed' }, entries: [only] }
  return resolveBoth(versions, label)
}

/** Keeps our file, and saves theirs under another name. */
function resolveBoth({ path, ours, theirs }: Versions, label: string): Resolution {
  const own = ours ?? { path, mode: '0', object: '' }
  if (!theirs || !isRegular(theirs.mode))
    return { conflict: { path, resolution: 'ours' }, entries: [own] }
  const copyPath = toCopyPath(path, label)
  return {
    conflict: { path, resolution: 'both', copyPath },
    entries: [own, { ...theirs, path: copyPath }],
  }
}

/** Whether the incoming side changes settings that belong to this machine, or makes them invalid. */
async function isForeignSetting(
  { scratch, settings }: MergeNeeds,
  { base, ours, path, theirs }: Versions,
  tree: string,
): Promise<boolean> {
  if (theirs?.object === base?.object || theirs?.object === ours?.object) return false
  if (!ours || !theirs || !isRegular(theirs.mode)) return true
  const [merged] = await readEntries(scratch.git, tree, [path])
  const texts = await Promise.all(
    [base, ours, theirs, merged].map(async (entry) =>
      entry ? await readBlob(scratch.git, entry.object) : undefined,
    ),
  )
  const [baseText, ourText, theirText, mergedText] = texts
  if (ourText === undefined || theirText === undefined || mergedText === undefined) return true
  return !mayApplySettings(settings, {
    file: path,
    base: baseText,
    ours: ourText,
    theirs: theirText,
    merged: mergedText,
  })
}

/** Our lines, then those of the other side that we lack; undefined for files that are not text. */
async function uniteLines(git: Git, ours: Entry, theirs: Entry): Promise<Entry | undefined> {
  const [own, other] = [await readBlob(git, ours.object), await readBlob(git, theirs.object)]
  if (own === undefined || other === undefined) return undefined
  const known = new Set(toLines(own))
  const added = toLines(other).filter((line) => !known.has(line))
  const text = own === '' || own.endsWith('\n') ? own : `${own}\n`
  const all = added.length === 0 ? own : `${text}${added.join('\n')}\n`
  return { ...ours, object: await writeBlob(git, all) }
}

function toLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
