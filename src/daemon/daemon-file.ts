import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../kernel/files/replace-file.ts'

/** Describes the running daemon in its workspace, so that clients find it. */
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

/** Removes the file unless a later daemon wrote it. */
export async function removeDaemonFile(workspace: string, pid: number): Promise<void> {
  const file = pathOf(workspace)
  const { pid: written } = JSON.parse(await readFile(file, 'utf8')) as DaemonFile
  if (written === pid) await rm(file)
}

function pathOf(workspace: string): string {
  return join(workspace, '.daemon', 'daemon.json')
}
