import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The absolute path of a workspace as somebody wrote it, for `~` is not always resolved by a shell. */
export function toWorkspace(written = ''): string {
  return resolve((written || '~/.svc').replace(/^~(?=$|\/)/, homedir()))
}

export const configFileNames = ['agent.yaml', 'AGENT.yaml', 'config.yaml'] as const

/** The files that may hold the settings; the first that is there does. */
export function configFiles(workspace: string): readonly string[] {
  return configFileNames.map((name) => join(workspace, name))
}
