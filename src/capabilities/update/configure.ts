import type { z } from 'zod'
import { ConfigError } from '../../kernel/config/workspace.ts'
import { type SettingEdit, writeSettings } from '../../kernel/config/write-settings.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { check } from '../../kernel/http/validation.ts'
import { maxIntervalSeconds, minIntervalSeconds } from './config.ts'
import type { StatefulNeeds } from './needs.ts'
import { configBody, type configChangeReply, type configReply } from './schemas.ts'

type ConfigReply = z.input<typeof configReply>

export function readConfiguration({ config, state }: StatefulNeeds): ConfigReply {
  const { auto_install, channel, check_interval } = config()
  const { lastAutoUpdateAt, lastAutoUpdateError } = state.read()
  return {
    autoInstall: auto_install,
    checkInterval: check_interval,
    channel,
    minInterval: minIntervalSeconds,
    maxInterval: maxIntervalSeconds,
    pendingRestartVersion: state.pending,
    lastAutoUpdateAt,
    lastAutoUpdateError,
    updateInProgress: !['idle', 'checking'].includes(state.progress.state),
  }
}

/** The refusal of an invalid change has `success: false`, as the reply to a change has `true`. */
export function assertConfiguration(body: unknown): void {
  const { error } = check(configBody, body ?? {})
  if (!error) return
  throw new Refusal('invalid', error.code, error.message, { success: false, ...error.details })
}

/** Writes the settings file. Where that is not possible, nothing changes. */
export async function configure(
  needs: StatefulNeeds,
  { autoInstall, checkInterval, channel }: z.output<typeof configBody>,
): Promise<z.input<typeof configChangeReply>> {
  const values = { auto_install: autoInstall, check_interval: checkInterval, channel }
  const edits = Object.entries(values).flatMap(([name, value]): SettingEdit[] =>
    value === undefined ? [] : [{ path: ['updates', name], value }],
  )
  const persisted = await persist(needs, edits)
  const config = readConfiguration(needs)
  const { pendingRestartVersion, lastAutoUpdateAt, lastAutoUpdateError } = config
  return {
    success: true,
    config,
    persisted,
    pendingRestartVersion,
    lastAutoUpdateAt,
    lastAutoUpdateError,
  }
}

const writeFailures = ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOSPC']

async function persist(needs: StatefulNeeds, edits: readonly SettingEdit[]): Promise<boolean> {
  const { folder, locks, log, settings } = needs
  try {
    await writeSettings({ folder, locks, config: settings }, edits)
  } catch (error) {
    if (error instanceof ConfigError)
      throw new Refusal(
        'conflict',
        'settings_broken',
        `The settings file is invalid: ${error.message}. Fix it first.`,
      )
    if (!writeFailures.some((code) => hasCode(error, code))) throw error
    log.warn({ err: error }, 'update settings not written')
    return false
  }
  await settings.reload()
  return true
}
