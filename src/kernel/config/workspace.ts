import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { hasCode } from '../errors/system-error.ts'

/** An invalid setting. The message is one line for the user and names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Returns the absolute path of a workspace. It expands `~`, because shells do not always do so. */
export function toWorkspace(path = ''): string {
  return resolve((path || '~/.svc').replace(/^~(?=$|\/)/, homedir()))
}

/** The same limit as for files that `POST /api/config` writes. */
const maxSettingsBytes = 1_048_576

export const configFileNames = ['agent.yaml', 'AGENT.yaml', 'config.yaml'] as const

/** The possible settings files. The first existing one is used. */
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

/** Reads the settings text. Without a file it is empty, so that every setting has its default. */
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
