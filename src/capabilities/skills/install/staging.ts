import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import { renameIfExists } from '../../../kernel/files/optional-files.ts'
import { syncFolder } from '../../../kernel/files/replace-file.ts'
import { isFolder, isSkillName } from '../installed.ts'

const stagingPrefix = 'skill-install-'
/** Hidden, so that no skill can have this name. */
const replacementPattern = /^\.replace-(?<name>.+)$/

/** Runs the work with an empty folder, which is removed afterwards. */
export async function withStaging<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await makeFolder(parent)
  const folder = await mkdtemp(join(parent, stagingPrefix))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Replaces an installed skill by two renames: the old one moves into a folder of the replacement,
 * the new one takes its place.
 */
export async function replaceSkill(
  skillsFolder: string,
  name: string,
  prepare: (target: string) => Promise<void>,
): Promise<void> {
  await makeFolder(skillsFolder)
  const replacement = join(skillsFolder, `.replace-${name}`)
  await rm(replacement, { recursive: true, force: true })
  await mkdir(replacement, { mode: 0o700 })
  const [next, old] = [join(replacement, 'next'), join(replacement, 'old')]
  const target = join(skillsFolder, name)
  try {
    await prepare(next)
    await renameIfExists(target, old)
    await rename(next, target)
    await syncFolder(skillsFolder)
  } finally {
    await restoreOld(skillsFolder, name)
    await rm(replacement, { recursive: true, force: true })
  }
}

/** Puts the old skill back if a replacement ended between its two renames. */
async function restoreOld(skillsFolder: string, name: string): Promise<void> {
  const target = join(skillsFolder, name)
  if (await isFolder(target)) return
  await renameIfExists(join(skillsFolder, `.replace-${name}`, 'old'), target)
}

/** Completes or undoes what a killed daemon has left. */
export async function cleanStaging(parent: string, skillsFolder: string): Promise<void> {
  for (const name of await listNames(parent))
    if (name.startsWith(stagingPrefix))
      await rm(join(parent, name), { recursive: true, force: true })
  for (const folder of await listNames(skillsFolder)) {
    const name = replacementPattern.exec(folder)?.groups?.['name'] ?? ''
    if (!isSkillName(name)) continue
    await restoreOld(skillsFolder, name)
    await rm(join(skillsFolder, folder), { recursive: true, force: true })
  }
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
