/** A setting that will not do: said in one line that names it, for the person who wrote it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
