import { z } from 'zod'
import { redactStrictly } from '../../../kernel/redaction/redact.ts'
import type { Checkpoint } from '../../transcripts/index.ts'
import type { HooksNeeds } from '../needs.ts'
import type { SessionStart } from './request.ts'

/** A checkpoint of another session in the project is used for this long. */
const recoveryMs = 4 * 3_600_000

interface Checkpoints {
  readonly own: Checkpoint | undefined
  readonly ofProject: Checkpoint | undefined
}

/** The last checkpoints of the session and of its project. */
export async function findCheckpoints(
  needs: HooksNeeds,
  { hook }: SessionStart,
): Promise<Checkpoints> {
  const { transcripts, settings } = needs
  const { caller, sessionKey, project } = hook
  if (!settings().continuity.enabled) return { own: undefined, ofProject: undefined }
  const [own, ofProject] = await Promise.all([
    sessionKey === undefined ? undefined : transcripts.readCheckpoint(caller, sessionKey),
    project === null ? undefined : transcripts.readProjectCheckpoint(caller, project),
  ])
  return { own, ofProject }
}

/** The checkpoint of the session, or a recent one of its project. */
export function toRecovery(
  { host, settings }: HooksNeeds,
  { own, ofProject }: Checkpoints,
): string {
  const since = new Date(host.now().getTime() - recoveryMs).toISOString()
  const found = own ?? (ofProject && ofProject.createdAt > since ? ofProject : undefined)
  if (!found) return ''
  const { recoveryBudgetChars } = settings().continuity
  const digest = redactStrictly(found.digest).text.slice(0, recoveryBudgetChars).toWellFormed()
  return `## Session Recovery Context\n\n${digest}`
}

/** The queries up to the checkpoint. */
export function toQueries(checkpoint: Checkpoint | undefined): readonly string[] {
  return z.array(z.string()).parse(JSON.parse(checkpoint?.memoryQueries ?? '[]'))
}
