/** The skills that a task adds to its prompt. The first member that knows the skill answers. */
export interface SkillsPort {
  /** The text of `SKILL.md` without its frontmatter; undefined for an unknown skill. */
  readBody(name: string): Promise<string | undefined>
}
