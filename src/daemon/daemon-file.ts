import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../kernel/files/replace-file.ts'

/** What a running daemon says of itself in its workspace, for whoever looks for it there. */
export interface DaemonFile {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}

export async function writeDaemonFile(workspace: string, written: DaemonFile): Promise<void> {
  const file = pathOf(workspace)
  await mkdir(dirname(file), { recursive: true })
  await replaceFile(file, `${JSON.stringify(written, null, 2)}\n`)
}

/** Leaves the file of whoever has come after. */
export async function removeDaemonFile(workspace: string, pid: number): Promise<void> {
  const file = pathOf(workspace)
  const { pid: written } = JSON.parse(await readFile(file, 'utf8')) as DaemonFile
  if (written === pid) await rm(file)
}

function pathOf(workspace: string): string {
  return join(workspace, '.daemon', 'daemon.json')
}
