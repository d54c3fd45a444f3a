/** A setting that cannot be used. The message is one line that names it, for the user. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
