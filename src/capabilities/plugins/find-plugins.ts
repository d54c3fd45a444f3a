import { lstat, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { z } from 'zod'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { listFolder } from '../../kernel/files/folders.ts'
import { parseJson } from '../../kernel/files/read-text.ts'
import {
  listBrokenRules,
  type Manifest,
  type ManifestContribution,
  manifestSchema,
  maxContentLength,
} from './manifest.ts'
import type { Plugin } from './plugin.ts'

const maxFolders = 64
const maxManifestBytes = 65_536
const manifestFile = 'plugin.json'

/**
 * Reads the plugins of a folder in the order of their folder names. A plugin without a readable id
 * is omitted, as is the second of two with one id. No link is followed.
 */
export async function findPlugins(folder: string): Promise<readonly Plugin[]> {
  if (!(await isPlainFolder(folder))) return []
  const plugins = new Map<string, Plugin>()
  for (const name of await listFolders(folder)) {
    const plugin = await readPlugin(join(folder, name))
    if (plugin && !plugins.has(plugin.id)) plugins.set(plugin.id, plugin)
  }
  return [...plugins.values()]
}

async function isPlainFolder(folder: string): Promise<boolean> {
  try {
    return (await lstat(folder)).isDirectory()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function listFolders(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const entry of listFolder(folder)) if (entry.isDirectory()) names.push(entry.name)
  return names.toSorted().slice(0, maxFolders)
}

async function readPlugin(folder: string): Promise<Plugin | undefined> {
  const text = await readPlainFile(join(folder, manifestFile), maxManifestBytes)
  const json = text === undefined ? undefined : parseJson(text)
  const id: unknown = Object(json).id
  if (!manifestSchema.shape.id.safeParse(id).success) return undefined
  const { data: manifest, error } = manifestSchema.safeParse(json)
  const broken = manifest ? listBrokenRules(manifest, 'workspace') : listIssues(error)
  const read = manifest ? await readContents(folder, manifest) : { contents: new Map(), errors: [] }
  const { contents } = read
  return {
    source: 'workspace',
    id: String(id),
    manifest,
    validationErrors: [...broken, ...read.errors],
    readContent: async ({ id: contribution }) => contents.get(contribution) ?? '',
  }
}

function listIssues(error: z.ZodError | undefined): readonly string[] {
  const issues = error?.issues ?? []
  return issues.slice(0, 20).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

async function readContents(folder: string, { surfaces }: Manifest) {
  const contents = new Map<string, string>()
  const errors: string[] = []
  for (const contribution of surfaces.promptContributions) {
    const content = await readContent(folder, contribution)
    if (content === undefined)
      errors.push(`contentFile of '${contribution.id}' is no regular file of at most 16 KiB`)
    else contents.set(contribution.id, content)
  }
  return { contents, errors }
}

async function readContent(
  folder: string,
  { content, contentFile }: ManifestContribution,
): Promise<string | undefined> {
  if (content !== undefined || contentFile === undefined) return content ?? ''
  // A name with a separator could leave the folder.
  if (basename(contentFile) !== contentFile || contentFile.includes('\\')) return undefined
  return readPlainFile(join(folder, contentFile), maxContentLength)
}

/** Undefined for a missing, oversized or other than regular file. */
async function readPlainFile(file: string, maxBytes: number): Promise<string | undefined> {
  try {
    const stats = await lstat(file)
    if (!stats.isFile() || stats.size > maxBytes) return undefined
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}
