/**
 * Whose sub-agent a session is, where its key says so: `<parent>:subagent:<id>`, `<parent>/subagents/<id>`,
 * and `agent:<name>:subagent:<id>`, whose parent is `agent:<name>:main`.
 */
export function parentOf(sessionKey: string): string | undefined {
  const match = /:sub-?agent:|\/sub-?agents?\//i.exec(sessionKey)
  const parent = match ? sessionKey.slice(0, match.index) : ''
  if (parent === '') return undefined
  return /^agent:[^:]+$/.test(parent) ? `${parent}:main` : parent
}
