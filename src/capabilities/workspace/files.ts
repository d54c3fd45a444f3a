import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { configFileNames } from '../../kernel/config/workspace.ts'
import { invalidRequest, Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import type { WorkspaceNeeds } from './needs.ts'
import { type filesReply, plainName, type saveBody, type savedReply } from './schemas.ts'

type WorkspaceFiles = z.input<typeof filesReply>['files']
type SaveFile = z.output<typeof saveBody>

const maxFiles = 200

export async function listFiles({
  folder,
}: Pick<WorkspaceNeeds, 'folder'>): Promise<WorkspaceFiles> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && /\.(md|yaml)$/.test(entry.name))
    .map(({ name }) => name)
  return Promise.all(
    sortByPriority(names)
      .slice(0, maxFiles)
      .map(async (name) => {
        const { size } = await stat(join(folder, name))
        const content = size > maxFileBytes ? '' : await readFile(join(folder, name), 'utf8')
        return { name, content, size }
      }),
  )
}

const paused = 'memory.pipelineV2.paused'

/** Replaces the file atomically. */
export async function saveFile(
  needs: WorkspaceNeeds,
  { file, content, dryRun = false }: SaveFile,
): Promise<z.input<typeof savedReply>> {
  assertName(file)
  if (Buffer.byteLength(content) > maxFileBytes)
    throw new Refusal('too_large', 'file_too_large', `A file may have ${maxFileBytes} bytes.`)
  const path = join(needs.folder, file)
  const previous = await readPlainFile(path)
  if (isSettings(file)) assertSettings(needs, { file, content }, previous)
  if (!dryRun) await replaceFile(path, content)
  if (!isSettings(file)) return { success: true }
  const { waiting: waitingForRestart, unknownSettings } = needs.settings.validate(file, content)
  return { success: true, waitingForRestart, unknownSettings }
}

function assertSettings(
  { settings }: WorkspaceNeeds,
  { file, content }: SaveFile,
  previous: string | undefined,
): void {
  const { problem } = settings.validate(file, content)
  if (problem !== undefined) throw new Refusal('invalid', 'invalid_settings', problem)
  // An invalid previous file does not define the pipeline state.
  const isBroken = previous === undefined || settings.validate(file, previous).problem !== undefined
  const wasPaused = isBroken ? undefined : settings.readValue(previous, paused)
  if ((wasPaused === true) === (settings.readValue(content, paused) === true)) return
  const message = `${paused} is set by /api/pipeline/pause and /api/pipeline/resume.`
  throw new Refusal('conflict', 'pipeline_setting', message)
}

async function readPlainFile(path: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isFile()) throw invalidRequest('file is a link or a folder')
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const maxFileBytes = 1_048_576

/** Listed first. */
const priorityNames = ['agent.yaml', 'AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md']

function assertName(name: string): void {
  if (plainName.test(name)) return
  const message = 'file must be the plain name of a .md or .yaml file'
  throw invalidRequest(message)
}

function isSettings(name: string): boolean {
  return configFileNames.some((settings) => settings === name)
}

function sortByPriority(names: readonly string[]): string[] {
  const rank = (name: string) =>
    priorityNames.includes(name) ? priorityNames.indexOf(name) : priorityNames.length
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}
