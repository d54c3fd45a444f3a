import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { hasCode } from '../errors/has-code.ts'

/** The absolute path of a workspace as somebody wrote it, for `~` is not always resolved by a shell. */
export function toWorkspace(written = ''): string {
  return resolve((written || '~/.svc').replace(/^~(?=$|\/)/, homedir()))
}

export const configFileNames = ['agent.yaml', 'AGENT.yaml', 'config.yaml'] as const

/** The files that may hold the settings; the first that is there does. */
export function configFiles(workspace: string): readonly string[] {
  return configFileNames.map((name) => join(workspace, name))
}

/** The settings as they are written; without a file an empty text, so that every setting has its default. */
export async function findSettings(
  workspace: string,
): Promise<{ readonly file: string; readonly text: string }> {
  const files = configFiles(workspace)
  for (const file of files)
    try {
      return { file, text: await readFile(file, 'utf8') }
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  return { file: files[0] ?? '', text: '' }
}
