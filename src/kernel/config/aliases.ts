/**
 * Old names of settings, each with the name that replaces it. A settings file may use either; the daemon
 * logs the old one. Add a line for each renamed setting, and name the old key in `docs/configuration.md`.
 */
export const aliases: Readonly<Record<string, string>> = {
  'sessions.closeAtOnce': 'sessions.sweepBatchSize',
}

/** A setting that the file has under its old name. */
export interface RenamedSetting {
  readonly key: string
  readonly replacement: string
}
