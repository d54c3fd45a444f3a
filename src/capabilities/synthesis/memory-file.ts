import { hash } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unlessMissing } from '../../kernel/files/optional-files.ts'
import { readText } from '../../kernel/files/read-text.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { cleanStoredText } from '../../kernel/redaction/clean-text.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { SynthesisOptions } from './needs.ts'

type FileNeeds = Pick<SynthesisOptions, 'folder' | 'host'>

/** The start of the first line of a generated file. */
const generatedMark = '<!-- svc:memory generated'

/** The content of `MEMORY.md` without its mark. Empty for a missing file. */
export async function readMemoryFile(folder: string, agentId: string): Promise<MemoryFile> {
  const text = await readText(pathOfMemory(folder, agentId))
  return { text: bodyOf(text), isGenerated: text.startsWith(generatedMark) }
}

export interface MemoryFile {
  readonly text: string
  /** False for a file that a person wrote. */
  readonly isGenerated: boolean
}

/** Relative to the workspace. The agent `default` has the file in the root. */
export function memoryFilePath(agentId: string): string {
  return agentId === 'default' ? 'MEMORY.md' : `agents/${agentId}/MEMORY.md`
}

function pathOfMemory(folder: string, agentId: string): string {
  return join(folder, memoryFilePath(agentId))
}

function bodyOf(text: string): string {
  return text.startsWith(generatedMark) ? text.slice(text.indexOf('\n') + 1) : text
}

/** Whether the text is generated and not edited since. */
function isRender(text: string): boolean {
  const { sha256 } = /^<!-- .* sha256:(?<sha256>[0-9a-f]{64}) -->\n/.exec(text)?.groups ?? {}
  return text.startsWith(generatedMark) && sha256 === hash('sha256', bodyOf(text))
}

/** A render of an earlier version without private spans and credentials. A file that a person wrote does not change. */
export function cleanRender(text: string): string {
  if (!text.startsWith(generatedMark)) return text
  const body = bodyOf(text)
  const mark = text.slice(0, text.length - body.length)
  if (!isRender(text)) return `${mark}${cleanPiece(body)}`
  // A span that a render has cut ends with its line.
  const clean = body.split('\n').map(cleanPiece).join('\n')
  return `${mark.replace(hash('sha256', body), hash('sha256', clean))}${clean}`
}

function cleanPiece(text: string): string {
  return neutralize(cleanStoredText(text))
}

/** The hash that the first line of a render names. */
export function renderHashOf(text: string): string | undefined {
  return isRender(text) ? hash('sha256', bodyOf(text)) : undefined
}

interface MemoryFileInput {
  readonly agentId: string
  readonly body: string
}

/** Copies the previous `MEMORY.md`, writes the new one and returns its hash. */
export async function writeMemoryFile(
  needs: FileNeeds,
  { agentId, body }: MemoryFileInput,
): Promise<string> {
  const file = pathOfMemory(needs.folder, agentId)
  const contentHash = hash('sha256', body)
  const before = await readText(file)
  if (isRender(before) && bodyOf(before) === body) return contentHash
  await mkdir(dirname(file), { recursive: true })
  const backup = await pathOfBackup(needs, agentId)
  await unlessMissing(copyFile(file, backup))
  const minute = needs.host.now().toISOString().slice(0, 16)
  await replaceFile(file, `${generatedMark} ${minute}Z sha256:${contentHash} -->\n${body}`)
  if (isRender(before)) await deleteOldRenders(dirname(backup))
  return contentHash
}

/** Deletes old copies of generated files. Copies of edited files are not deleted. */
async function deleteOldRenders(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(backupName))
  let renders = 0
  for (const name of names.toSorted().toReversed()) {
    if (!isRender(await readText(join(folder, name)))) continue
    renders += 1
    if (renders > maxRenderCopies) await rm(join(folder, name), { force: true })
  }
}

/** Moves the file to a copy: a new agent of the same name must not read it. */
export async function archiveMemoryFile(needs: FileNeeds, agentId: string): Promise<void> {
  const file = pathOfMemory(needs.folder, agentId)
  await unlessMissing(rename(file, await pathOfBackup(needs, agentId)))
}

/** The file and all copies of it. */
export async function removeMemoryFile({ folder }: FileNeeds, agentId: string): Promise<void> {
  const file = pathOfMemory(folder, agentId)
  await rm(file, { force: true })
  const copies = join(dirname(file), 'memory')
  for (const name of (await unlessMissing(readdir(copies))) ?? [])
    if (name.startsWith(backupName)) await rm(join(copies, name), { force: true })
}

const backupName = 'MEMORY.backup-'
const maxRenderCopies = 5

async function pathOfBackup({ folder, host }: FileNeeds, agentId: string): Promise<string> {
  const stamp = host.now().toISOString().replaceAll(':', '-')
  const backup = join(dirname(pathOfMemory(folder, agentId)), 'memory', `${backupName}${stamp}.md`)
  await mkdir(dirname(backup), { recursive: true })
  return backup
}

/** The reason why a text must not be written. Undefined for a valid text. */
export function findFault(text: string): string | undefined {
  if (text.trim() === '') return 'it would be empty'
  if (/^\s*[[{]/.test(text)) return 'it looks like JSON'
  return neutralize(text) === text ? undefined : 'it holds marks that others act on'
}

interface LastRun {
  readonly agentId: string
  /** ISO. */
  readonly lastRunAt: string
  /** Hash of the written text without its first line. */
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

/** For a render that was cleaned in place. */
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
