import { Refusal } from '../../kernel/errors/refusal.ts'

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

export function skillNotFound(name: string): Refusal {
  return new Refusal('not_found', 'skill_not_found', `Skill '${name}' not found`)
}
