import { readFile, realpath, stat } from 'node:fs/promises'
import { hasCode } from '../errors/system-error.ts'
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
  await stat(file)
  if (edits.length > 0)
    await replaceSettings(needs, (before) => {
      const after = edits.reduce((text, { path, value }) => editSetting(text, path, value), before)
      const { problem } = needs.config.examine(file, after)
      if (problem !== undefined) throw new ConfigError(problem)
      return after
    })
  return file
}

type ReplaceNeeds = Omit<SettingsFileNeeds, 'config'>

/**
 * Replaces the text of the settings file under its lock; an unchanged text is not written.
 * Without a file, it creates one.
 */
export async function replaceSettings(
  { folder, locks }: ReplaceNeeds,
  edit: (text: string) => string,
): Promise<void> {
  const { file } = await findSettings(folder)
  // A link is not replaced; its target is written.
  const target = (await orIfAbsent(realpath(file))) ?? file
  await locks.withLock(target, (lock) => replace({ target, lock }, edit))
}

interface Target {
  readonly target: string
  readonly lock: FileLock
}

async function replace({ target, lock }: Target, edit: (text: string) => string): Promise<void> {
  const before = (await orIfAbsent(readFile(target, 'utf8'))) ?? ''
  const after = edit(before)
  if (after === before) return
  const mode = (await orIfAbsent(stat(target)))?.mode ?? 0o600
  await lock.confirm()
  await replaceFile(target, after, mode & 0o777)
}

async function orIfAbsent<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
