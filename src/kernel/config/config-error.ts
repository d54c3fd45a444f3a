/** A setting that cannot be used. The message is one line that names it, for whoever wrote it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
