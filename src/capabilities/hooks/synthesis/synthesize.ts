import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { redactStrictly } from '../../../kernel/hygiene/redact.ts'
import type { HooksNeeds } from '../needs.ts'
import { pathOfMemory, readText } from '../start/workspace-files.ts'
import { type Rendered, render } from './render.ts'
import { findHead, leaseHead, upsertHead } from './store.ts'

const ledgerDays = 30
const dayMs = 86_400_000
const mostRows = 200
const weighty = 8
const constraintTypes = ['constraint', 'decision', 'rule']
const minuteMs = 60_000
const minIntervalMs = 60 * minuteMs
const leaseMs = 2 * minuteMs

/** What `MEMORY.md` would say of an agent now; writes nothing. */
export async function projectMemory(needs: HooksNeeds, caller: Caller): Promise<Rendered> {
  const { db, host, agents, memory, transcripts } = needs
  const { agentId } = caller
  const scope = await agents.readScopeOf(db, caller)
  const since = new Date(host.now().getTime() - ledgerDays * dayMs).toISOString()
  const [durable, constraints, nodes, ledger] = await Promise.all([
    memory.selection.listWeighty(db, scope, { types: undefined, limit: weighty }),
    memory.selection.listWeighty(db, scope, { types: constraintTypes, limit: weighty }),
    transcripts.listNodes(db, agentId, mostRows),
    transcripts.listArtifacts(db, { agentId, since, limit: mostRows }),
  ])
  const { text, ...rendered } = render({ durable, constraints, nodes, ledger })
  return { ...rendered, text: redactStrictly(text).text }
}

export interface Triggered {
  readonly success: true
  readonly skipped: boolean
  readonly reason?: string
}

/** Writes `MEMORY.md`, at most once an hour unless it is forced; of several at once one does. */
export async function writeMemory(
  needs: HooksNeeds,
  caller: Caller,
  { force = false }: { readonly force?: boolean | undefined },
): Promise<Triggered> {
  const { db, host } = needs
  const { agentId } = caller
  const now = host.now()
  const head = await findHead(db, agentId)
  const sinceMs = head?.writtenAt ? now.getTime() - new Date(head.writtenAt).getTime() : Infinity
  if (!force && sinceMs < minIntervalMs) return skipped('it was written within the last hour')
  const rendered = await projectMemory(needs, caller)
  if (rendered.fileCount === 0) return skipped('there are no session summaries to render')
  const lease = { agentId, token: host.newId(), now: now.toISOString() }
  const until = new Date(now.getTime() + leaseMs).toISOString()
  if (!(await leaseHead(db, { ...lease, until }))) return skipped('it is being written')
  await replaceWithBackup(needs, agentId, toFile(rendered.text, now))
  await upsertHead(db, { agentId, token: lease.token, writtenAt: now.toISOString() })
  return { success: true, skipped: false }
}

/** Whoever reads the workspace tells by this line that it is the service's own work. */
const ownMark = '<!-- svc:memory generated'

function toFile(text: string, now: Date): string {
  return `${ownMark} ${now.toISOString().slice(0, 16)}Z -->\n${text}`
}

async function replaceWithBackup({ folder, host }: HooksNeeds, agentId: string, text: string) {
  const file = pathOfMemory(folder, agentId)
  await mkdir(dirname(file), { recursive: true })
  // What people have written is not lost with the first render; renders need no copy.
  const before = await readText(file)
  if (before !== '' && !before.startsWith(ownMark)) {
    const stamp = host.now().toISOString().replaceAll(':', '-')
    const backup = join(dirname(file), 'memory', `MEMORY.backup-${stamp}.md`)
    await mkdir(dirname(backup), { recursive: true })
    await copyFile(file, backup)
  }
  await replaceFile(file, text)
}

function skipped(reason: string): Triggered {
  return { success: true, skipped: true, reason }
}
