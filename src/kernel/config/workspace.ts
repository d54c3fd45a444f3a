import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { hasCode } from '../errors/has-code.ts'
import { ConfigError } from './config-error.ts'

/** The absolute path of a workspace as somebody wrote it, for `~` is not always resolved by a shell. */
export function toWorkspace(written = ''): string {
  return resolve((written || '~/.svc').replace(/^~(?=$|\/)/, homedir()))
}

/** As of any file that `POST /api/config` writes. */
const maxSettingsBytes = 1_048_576

export const configFileNames = ['agent.yaml', 'AGENT.yaml', 'config.yaml'] as const

/** The files that may hold the settings; the first that is there does. */
export function configFiles(workspace: string): readonly string[] {
  return configFileNames.map((name) => join(workspace, name))
}

async function readSettings(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size > maxSettingsBytes)
      throw new ConfigError(
        `${basename(file)} has ${size} bytes, more than ${maxSettingsBytes}: shorten it.`,
      )
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** The settings as they are written; without a file an empty text, so that every setting has its default. */
export async function findSettings(
  workspace: string,
): Promise<{ readonly file: string; readonly text: string }> {
  const files = configFiles(workspace)
  for (const file of files)
    try {
      return { file, text: await readSettings(file) }
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  return { file: files[0] ?? '', text: '' }
}
