import { type KernelConfig, readConfig } from '../../kernel/config/config.ts'
import { readEnvironment } from '../../kernel/config/environment.ts'
import { ConfigError } from '../../kernel/config/workspace.ts'

/** The settings with which a daemon starts in this shell; undefined where they are not valid. */
export async function findDaemonSettings(): Promise<KernelConfig | undefined> {
  try {
    return (await readConfig(readEnvironment(), [])).kernel
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
