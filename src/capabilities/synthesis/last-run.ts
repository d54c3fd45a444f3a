import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readText } from '../../kernel/files/read-text.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import type { SynthesisOptions } from './needs.ts'

interface LastRun {
  readonly agentId: string
  /** ISO. */
  readonly lastRunAt: string
  /** Of what was written, without its first line. */
  readonly contentHash: string
}

/** Programs that watch the workspace read this file. */
export async function writeLastRun(
  { folder }: Pick<SynthesisOptions, 'folder'>,
  run: LastRun,
): Promise<void> {
  await mkdir(join(folder, 'runtime'), { recursive: true })
  await replaceFile(pathOf(folder, run.agentId), `${JSON.stringify(run)}\n`)
}

interface HashChange extends Pick<LastRun, 'agentId'> {
  readonly before: string
  readonly after: string
}

/** For a render that was cleaned in its place. */
export async function replaceLastHash(
  folder: string,
  { agentId, before, after }: HashChange,
): Promise<void> {
  const file = pathOf(folder, agentId)
  const text = await readText(file)
  if (text.includes(before)) await replaceFile(file, text.replace(before, after))
}

export function removeLastRun(
  { folder }: Pick<SynthesisOptions, 'folder'>,
  agentId: string,
): Promise<void> {
  return rm(pathOf(folder, agentId), { force: true })
}

function pathOf(folder: string, agentId: string): string {
  const whose = agentId === 'default' ? '' : `.${agentId}`
  return join(folder, 'runtime', `last-synthesis${whose}.json`)
}
