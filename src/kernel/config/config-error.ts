/** An invalid setting. The message is one line for the user and names the setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
