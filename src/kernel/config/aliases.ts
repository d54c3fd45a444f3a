/**
 * Old names of settings with their replacements. A settings file may use either; the daemon
 * logs old names. Add a line for each renamed setting and document the old key in
 * `docs/configuration.md`.
 */
export const aliases: Readonly<Record<string, string>> = {
  'sessions.closeAtOnce': 'sessions.sweepBatchSize',
  'update.auto_install': 'updates.auto_install',
  'update.channel': 'updates.channel',
  'update.check_interval': 'updates.check_interval',
  'updates.autoInstall': 'updates.auto_install',
  'updates.checkInterval': 'updates.check_interval',
}

/** A setting that the file has under its old name. */
export interface RenamedSetting {
  readonly key: string
  readonly replacement: string
}
