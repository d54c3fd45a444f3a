import { toWorkspace } from '../../../kernel/config/workspace.ts'

/** The daemon that a harness calls; an absent field stands for the default. */
export interface Target {
  readonly workspace?: string
  readonly url?: string
}

/** Of a call of the command line. */
interface Settings {
  readonly workspace: string
  readonly url: string | undefined
  readonly port: string
}

const defaultPort = '3850'

/** The workspace and the address of this call, as far as they are not the default. */
export function readTarget(settings: Settings, url = settings.url): Target {
  const { workspace, port } = settings
  const address = url ?? (port === defaultPort ? undefined : `http://127.0.0.1:${port}`)
  return {
    ...(workspace !== toWorkspace() && { workspace }),
    ...(address !== undefined && { url: address }),
  }
}

/** The options of `reverie hook`. */
export function toHookOptions({ workspace, url }: Target): readonly string[] {
  return [
    ...(workspace === undefined ? [] : ['--workspace', workspace]),
    ...(url === undefined ? [] : ['--url', url]),
  ]
}

/** The environment of `reverie mcp`; undefined where the default holds. */
export function toVariables({ workspace, url }: Target): Record<string, string> | undefined {
  if (workspace === undefined && url === undefined) return undefined
  return {
    ...(workspace !== undefined && { SVC_PATH: workspace }),
    ...(url !== undefined && { SVC_URL: url }),
  }
}
