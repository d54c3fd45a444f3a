import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../kernel/errors/has-code.ts'
import { readText } from '../../kernel/files/read-text.ts'
import { replaceFile } from '../../kernel/files/replace-file.ts'
import { cleanStoredText } from '../../kernel/redaction/clean-text.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { SynthesisOptions } from './needs.ts'

type FileNeeds = Pick<SynthesisOptions, 'folder' | 'host'>

/** Whoever reads the workspace tells by this first line that the rest is the service's own work. */
const ownMark = '<!-- svc:memory generated'

/** What `MEMORY.md` says, without the mark; empty where there is none. */
export async function readMemoryFile(folder: string, agentId: string): Promise<string> {
  return bodyOf(await readText(pathOfMemory(folder, agentId)))
}

/** Within the workspace: its own is of the agent `default`, each other has one. */
export function memoryFilePath(agentId: string): string {
  return agentId === 'default' ? 'MEMORY.md' : `agents/${agentId}/MEMORY.md`
}

function pathOfMemory(folder: string, agentId: string): string {
  return join(folder, memoryFilePath(agentId))
}

function bodyOf(text: string): string {
  return text.startsWith(ownMark) ? text.slice(text.indexOf('\n') + 1) : text
}

/** As it was rendered: nobody has changed it since. */
function isRender(text: string): boolean {
  const { sha256 } = /^<!-- .* sha256:(?<sha256>[0-9a-f]{64}) -->\n/.exec(text)?.groups ?? {}
  return text.startsWith(ownMark) && sha256 === hashOf(bodyOf(text))
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

/** A render of an earlier version without private spans and credentials. A person's own file stays as it is. */
export function cleanRender(text: string): string {
  if (!text.startsWith(ownMark)) return text
  const body = bodyOf(text)
  const mark = text.slice(0, text.length - body.length)
  if (!isRender(text)) return `${mark}${cleanPiece(body)}`
  // A span that a render has cut ends with its line.
  const clean = body.split('\n').map(cleanPiece).join('\n')
  return `${mark.replace(hashOf(body), hashOf(clean))}${clean}`
}

function cleanPiece(text: string): string {
  return neutralize(cleanStoredText(text))
}

/** The hash that the first line of a render names. */
export function renderHashOf(text: string): string | undefined {
  return isRender(text) ? hashOf(bodyOf(text)) : undefined
}

interface Writing {
  readonly agentId: string
  readonly body: string
}

/** Puts this into `MEMORY.md`, and gives its hash. What stood there before is copied first. */
export async function writeMemoryFile(
  needs: FileNeeds,
  { agentId, body }: Writing,
): Promise<string> {
  const file = pathOfMemory(needs.folder, agentId)
  const contentHash = hashOf(body)
  const before = await readText(file)
  if (isRender(before) && bodyOf(before) === body) return contentHash
  await mkdir(dirname(file), { recursive: true })
  const backup = await pathOfBackup(needs, agentId)
  await ifThere(copyFile(file, backup))
  const minute = needs.host.now().toISOString().slice(0, 16)
  await replaceFile(file, `${ownMark} ${minute}Z sha256:${contentHash} -->\n${body}`)
  if (isRender(before)) await forgetRenders(dirname(backup))
  return contentHash
}

/** Of copies that can be rendered again the latest stay; what people have written stays for good. */
async function forgetRenders(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(backupName))
  let renders = 0
  for (const name of names.toSorted().toReversed()) {
    if (!isRender(await readText(join(folder, name)))) continue
    renders += 1
    if (renders > keptRenders) await rm(join(folder, name), { force: true })
  }
}

/** What an agent was told goes with it: nobody of the same name is told it again. */
export async function archiveMemoryFile(needs: FileNeeds, agentId: string): Promise<void> {
  const file = pathOfMemory(needs.folder, agentId)
  await ifThere(rename(file, await pathOfBackup(needs, agentId)))
}

/** The file and all copies of it. */
export async function removeMemoryFile({ folder }: FileNeeds, agentId: string): Promise<void> {
  const file = pathOfMemory(folder, agentId)
  await rm(file, { force: true })
  const copies = join(dirname(file), 'memory')
  for (const name of (await ifThere(readdir(copies))) ?? [])
    if (name.startsWith(backupName)) await rm(join(copies, name), { force: true })
}

const backupName = 'MEMORY.backup-'
const keptRenders = 5

async function pathOfBackup({ folder, host }: FileNeeds, agentId: string): Promise<string> {
  const stamp = host.now().toISOString().replaceAll(':', '-')
  const backup = join(dirname(pathOfMemory(folder, agentId)), 'memory', `${backupName}${stamp}.md`)
  await mkdir(dirname(backup), { recursive: true })
  return backup
}

/** Undefined where there is nothing of that name. */
async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
