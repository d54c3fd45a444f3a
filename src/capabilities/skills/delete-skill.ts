import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isFolder } from './installed.ts'
import { assertSkillName, skillNotFound } from './skill-name.ts'

/** Refuses `invalid_skill_name` and `skill_not_found`. */
export async function deleteSkill(skillsFolder: string, name: string) {
  assertSkillName(name)
  const folder = join(skillsFolder, name)
  // A name is one segment, so the folder is a child of the folder of skills.
  if (!(await isFolder(folder))) throw skillNotFound(name)
  await rm(folder, { recursive: true, force: true })
  return { success: true as const, name, message: `Removed skill '${name}'` }
}
