import { listInstalled } from './installed.ts'
import type { SkillsNeeds } from './needs.ts'

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
