import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import { memoryFilePath, type RecentWork } from '../../synthesis/index.ts'
import type { HooksNeeds } from '../needs.ts'
import { limitText, toOneLine } from '../render.ts'
import type { Profile } from './profile.ts'
import type { ShownFacts } from './shown-facts.ts'
import { readOr } from './workspace-files.ts'

const maxFileLength = 10_000
const maxWorkLength = 240
/** Characters of the section of earlier sessions. */
const maxSectionLength = 600
const minWorkLength = 40
const heading = '## Working Memory'

interface WorkingMemoryRequest {
  readonly scope: ReadScope
  readonly project: string | null
  /** The session that starts. */
  readonly sessionKey: string | undefined
  readonly includes: Profile['includes']
}

export interface WorkingMemory {
  /** `MEMORY.md`, truncated; empty for a missing file. */
  readonly file: string
  /** The file if a person wrote it. A generated file covers all projects. */
  readonly ownText: string
  /** The sessions of the project, the latest first. */
  readonly work: readonly RecentWork[]
  readonly problems: readonly string[]
}

/** `MEMORY.md` spans all projects, so a token of one project does not get it. */
export async function readWorkingMemory(
  { synthesis }: Pick<HooksNeeds, 'synthesis'>,
  { scope, project, sessionKey, includes }: WorkingMemoryRequest,
): Promise<WorkingMemory> {
  const { agentId } = scope
  if (scope.project !== null || !includes('working-memory'))
    return { file: '', ownText: '', work: [], problems: [] }
  const [read, work] = await Promise.all([
    readOr(memoryFilePath(agentId), synthesis.readMemoryFile(agentId), noFile),
    synthesis.listRecentWork({ agentId, project, except: sessionKey }),
  ])
  const { text, isGenerated } = read.content
  const file = sliceText(text.trim(), 0, maxFileLength)
  return { file, ownText: isGenerated ? '' : file, work, problems: read.problems }
}

const noFile = { text: '', isGenerated: false }

/** The characters that the section needs at most. */
export function reserveForWork(work: readonly RecentWork[]): number {
  const length = work.reduce((sum, { text }) => sum + Math.min(text.length, maxWorkLength) + 16, 0)
  return Math.min(maxSectionLength, length)
}

/** The section of earlier sessions. Sentences that the context contains are omitted. */
export function renderWork({ ownText, work }: WorkingMemory, facts: ShownFacts): string {
  if (ownText !== '') return `${heading}\n\n${ownText}`
  let text = `${heading}\n\nFrom earlier sessions:`
  const lines: string[] = []
  for (const { at, text: summary } of work) {
    const maxLength = Math.min(maxWorkLength, maxSectionLength - text.length - 16)
    if (maxLength < minWorkLength) break
    const newText = facts.takeNew(limitText(toOneLine(summary), 2 * maxWorkLength))
    if (newText === '') continue
    lines.push(`- ${at.slice(0, 10)}: ${limitText(newText, maxLength)}`)
    text = `${text}\n${lines.at(-1)}`
  }
  return lines.length === 0 ? '' : text
}
