import { readFile } from 'node:fs/promises'
import { type Config, type KernelConfig, readConfig } from '../../kernel/config/config.ts'
import { readEnvironment } from '../../kernel/config/environment.ts'
import { readRawValue } from '../../kernel/config/raw-settings.ts'
import { ConfigError, toWorkspace } from '../../kernel/config/workspace.ts'

/** The settings with which a daemon starts in this shell; undefined where they are not valid. */
export async function findDaemonSettings(): Promise<KernelConfig | undefined> {
  return (await findConfig())?.kernel
}

/** The configured key file of the secrets; undefined for the default. */
export async function findSecretsKeyFile(): Promise<string | undefined> {
  const config = await findConfig()
  const file = config && (config.secretsKeyFile ?? (await readSetting(config, 'secrets.keyFile')))
  return typeof file === 'string' ? toWorkspace(file) : undefined
}

async function readSetting({ file }: Config, name: string): Promise<unknown> {
  return readRawValue(await readFile(file, 'utf8').catch(() => ''), name)
}

async function findConfig(): Promise<Config | undefined> {
  try {
    return await readConfig(readEnvironment(), [])
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
