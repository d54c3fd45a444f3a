import { hash } from 'node:crypto'
import { basename } from 'node:path'
import type { z } from 'zod'
import { readRawSettings, valueAt } from '../../kernel/config/raw-settings.ts'
import { ConfigError, findSettings } from '../../kernel/config/workspace.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { maskSetting } from './mask.ts'
import type { SettingsNeeds } from './needs.ts'
import type { settingsReply } from './schemas.ts'

export async function readSettings(
  needs: Pick<SettingsNeeds, 'config' | 'folder'>,
): Promise<z.input<typeof settingsReply>> {
  const { file, text } = await findSettings(needs.folder)
  const fileValues = parseSettings(file, text)
  const heldValues = new Map(
    needs.config.current().heldSettings.map(({ setting, value }) => [setting, value]),
  )
  const values = needs.config.schemas().map(({ key, schema }) => {
    const toEntry = (source: 'default' | 'environment' | 'file', value: unknown) =>
      [key, { value: maskSetting(key, value), source }] as const
    if (heldValues.has(key)) return toEntry('environment', heldValues.get(key))
    const inFile = valueAt(fileValues, key)
    return inFile === undefined ? toEntry('default', schema.default) : toEntry('file', inFile)
  })
  return {
    values: Object.fromEntries(values),
    file: basename(file),
    hash: hashText(text),
    restartRequired: needs.config.waiting(),
  }
}

export function hashText(text: string): string {
  return hash('sha256', text)
}

/** The values of the file under their current names. */
export function parseSettings(file: string, text: string): object {
  try {
    return readRawSettings(file, text).rawSettings
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const message = `The settings file is invalid: ${error.message}. Fix it first.`
    throw new Refusal('conflict', 'settings_broken', message)
  }
}
