import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UnknownSetting } from '../../kernel/config/settings.ts'
import { hasCode } from '../../kernel/errors/has-code.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { isSettings, largestFileBytes, refuseName } from './file.ts'
import type { WorkspaceNeeds } from './needs.ts'

export interface SaveFile {
  readonly file: string
  readonly content: string
}

const paused = 'memory.pipelineV2.paused'

export interface FileSaved {
  readonly success: true
  /** Of settings: those that do not hold before a restart. */
  readonly waitingForRestart?: readonly string[]
  /** Keys that are not settings and have no effect. */
  readonly unknownSettings?: readonly UnknownSetting[]
}

/** Writes all of the file or nothing. */
export async function saveFile(
  needs: WorkspaceNeeds,
  { file, content }: SaveFile,
): Promise<FileSaved> {
  refuseName(file)
  if (Buffer.byteLength(content) > largestFileBytes)
    throw new Refusal('too_large', 'file_too_large', `A file may have ${largestFileBytes} bytes.`)
  const path = join(needs.folder, file)
  const before = await readPlain(path)
  if (isSettings(file)) refuseSettings(needs, { file, content }, before)
  await replaceFile(path, content)
  if (!isSettings(file)) return { success: true }
  const { waiting: waitingForRestart, unknownSettings } = needs.settings.examine(file, content)
  return { success: true, waitingForRestart, unknownSettings }
}

function refuseSettings(
  { settings }: WorkspaceNeeds,
  { file, content }: SaveFile,
  before: string | undefined,
): void {
  const { problem } = settings.examine(file, content)
  if (problem !== undefined) throw new Refusal('invalid', 'invalid_settings', problem)
  // A file that was broken by hand says nothing of the pipeline.
  const broken = before === undefined || settings.examine(file, before).problem !== undefined
  const was = broken ? undefined : settings.written(before, paused)
  if ((was === true) === (settings.written(content, paused) === true)) return
  const message = `${paused} is set by /api/pipeline/pause and /api/pipeline/resume.`
  throw new Refusal('conflict', 'pipeline_setting', message)
}

async function readPlain(path: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isFile())
      throw new Refusal('invalid', 'invalid_request', 'file is a link or a folder')
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
