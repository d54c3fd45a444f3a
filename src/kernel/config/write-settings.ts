import { readFile, realpath, stat } from 'node:fs/promises'
import type { FileLock, FileLocks } from '../files/file-lock.ts'
import { replaceFile } from '../files/replace-file.ts'
import { editSetting, type SettingValue } from './edit-setting.ts'
import type { LiveConfig } from './live-config.ts'
import { ConfigError, findSettings } from './workspace.ts'

interface SettingsFileNeeds {
  /** The workspace. */
  readonly folder: string
  readonly locks: FileLocks
  readonly config: Pick<LiveConfig, 'examine'>
}

export interface SettingEdit {
  readonly path: readonly [string, ...string[]]
  readonly value: SettingValue
}

/**
 * Writes settings into the existing file and leaves every other byte of it. Returns the path. Throws
 * a `ConfigError` for an invalid file, ENOENT without a file, and the errors of the file system.
 */
export async function writeSettings(
  needs: SettingsFileNeeds,
  edits: readonly SettingEdit[],
): Promise<string> {
  const { file } = await findSettings(needs.folder)
  // The file behind a link stays in its place.
  const target = await realpath(file)
  if (edits.length > 0)
    await needs.locks.withLock(target, (lock) => write(needs, { target, edits, lock }))
  return file
}

interface Write {
  readonly target: string
  readonly edits: readonly SettingEdit[]
  readonly lock: FileLock
}

async function write({ config }: SettingsFileNeeds, { target, edits, lock }: Write): Promise<void> {
  const before = await readFile(target, 'utf8')
  const after = edits.reduce((text, { path, value }) => editSetting(text, path, value), before)
  const { problem } = config.examine(target, after)
  if (problem !== undefined) throw new ConfigError(problem)
  if (after === before) return
  const { mode } = await stat(target)
  await lock.confirm()
  await replaceFile(target, after, mode & 0o777)
}
