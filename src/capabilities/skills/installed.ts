import { lstat, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { listFolder } from '../../kernel/files/folders.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { type Frontmatter, readBodyText, readFields, toFrontmatter } from './frontmatter.ts'
import type { SkillsNeeds } from './needs.ts'

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** A name is one folder, so it cannot leave its parent and is not hidden. */
export function isSkillName(name: string): boolean {
  return pattern.test(name) && !name.includes('..')
}

/** Refuses `invalid_skill_name`. */
export function assertSkillName(name: string): void {
  if (isSkillName(name)) return
  throw new Refusal('invalid', 'invalid_skill_name', 'Invalid skill name')
}

function skillNotFound(name: string): Refusal {
  return new Refusal('not_found', 'skill_not_found', `Skill '${name}' not found`)
}

export interface Skill extends Frontmatter {
  readonly name: string
  /** The absolute path of its folder. */
  readonly path: string
}

export const skillFile = 'SKILL.md'
const maxSkillFileBytes = 1_048_576
const maxSkills = 1_000

/** The skills of the folder, sorted by name. Folders without `SKILL.md` are ignored. */
export async function listInstalled(folder: string): Promise<readonly Skill[]> {
  const names: string[] = []
  for await (const entry of listFolder(folder))
    if (entry.isDirectory() && isSkillName(entry.name)) names.push(entry.name)
  const skills: Skill[] = []
  for (const name of names.toSorted().slice(0, maxSkills)) {
    const text = await readSkillFile(join(folder, name))
    if (text !== undefined) skills.push(toSkill(folder, name, text))
  }
  return skills
}

/** Refuses `invalid_skill_name` and `skill_not_found`. */
export async function readInstalled(folder: string, name: string) {
  assertSkillName(name)
  const text = (await isFolder(join(folder, name))) && (await readSkillFile(join(folder, name)))
  if (typeof text !== 'string') throw skillNotFound(name)
  return { ...toSkill(folder, name, text), content: neutralize(text) }
}

/** The text of the skill without its frontmatter; undefined for an unknown skill. */
export async function readBody(folder: string, name: string): Promise<string | undefined> {
  if (!isSkillName(name) || !(await isFolder(join(folder, name)))) return undefined
  const text = await readSkillFile(join(folder, name))
  return text === undefined ? undefined : neutralize(readBodyText(text))
}

function toSkill(folder: string, name: string, text: string): Skill {
  return { name, ...toFrontmatter(readFields(text)), path: join(folder, name) }
}

/** Undefined if it is missing, oversized or no regular file. */
export async function readSkillFile(folder: string): Promise<string | undefined> {
  const file = join(folder, skillFile)
  try {
    const stats = await lstat(file)
    if (!stats.isFile() || stats.size > maxSkillFileBytes) return undefined
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}

/** False for a link. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory()
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false
    throw error
  }
}

/** Refuses `invalid_skill_name` and `skill_not_found`. */
export async function deleteSkill(skillsFolder: string, name: string) {
  assertSkillName(name)
  const folder = join(skillsFolder, name)
  // A name is one segment, so the folder is a child of the folder of skills.
  if (!(await isFolder(folder))) throw skillNotFound(name)
  await rm(folder, { recursive: true, force: true })
  return { success: true as const, name, message: `Removed skill '${name}'` }
}

/** A folder that cannot be read yields an empty list with the error. */
export async function listSkills({ log }: Pick<SkillsNeeds, 'log'>, skillsFolder: string) {
  try {
    const skills = (await listInstalled(skillsFolder)).map(({ permissions, ...skill }) => ({
      ...skill,
      permissions: [...permissions],
    }))
    return { skills, count: skills.length }
  } catch (error) {
    log.error({ err: error }, 'skills not listed')
    return { skills: [], count: 0, error: 'The folder of the skills cannot be read.' }
  }
}
