import type { Route } from '../../kernel/http/route.ts'
import type { Tool } from '../../kernel/http/tool.ts'
import { type BundledPlugin, manifestSchema, type PluginGate } from '../plugins/index.ts'

export const pluginId = 'svc.secrets'

/** The capabilities that a call of each route needs. */
const capabilitiesOf: Readonly<Record<string, readonly string[]>> = {
  'secrets.list': ['secrets:list'],
  'secrets.put': ['secrets:write'],
  'secrets.delete': ['secrets:delete'],
  'secrets.exec': ['secrets:exec'],
  'secrets.exec-status': ['secrets:exec'],
  'secrets.exec-named': ['secrets:exec'],
  'secrets.local-status': ['secrets:providers:list'],
  'secrets.rotate-key': ['secrets:providers:configure'],
  'secrets.vault-a-status': ['secrets:providers:list'],
  'secrets.vault-a-folders': ['secrets:providers:list'],
  'secrets.vault-a-connect': ['secrets:providers:configure'],
  'secrets.vault-a-disconnect': ['secrets:providers:configure'],
  'secrets.vault-a-provider': ['secrets:providers:configure'],
  'secrets.vault-a-migrate': ['secrets:providers:configure', 'secrets:write'],
  'secrets.vault-b-status': ['secrets:providers:list'],
  'secrets.vault-b-vaults': ['secrets:providers:list'],
  'secrets.vault-b-connect': ['secrets:providers:configure'],
  'secrets.vault-b-disconnect': ['secrets:providers:configure'],
  'secrets.vault-b-import': ['secrets:providers:configure', 'secrets:write'],
}

const summaries = {
  'secrets:list': 'List the names of secrets',
  'secrets:write': 'Store secrets',
  'secrets:delete': 'Delete secrets',
  'secrets:exec': 'Run commands with secrets',
  'secrets:providers:list': 'Read the state of the store and of the vaults',
  'secrets:providers:configure': 'Connect vaults, choose the provider and rotate the key',
  'prompt:contribute:user-prompt-submit': 'Add guidance about credentials to prompts',
  'mcp:tool': 'Offer tools to agents',
  'cli:command': 'Offer commands',
  'dashboard:panel': 'Offer a panel of the dashboard',
  'sdk:client': 'Offer functions of the client',
  'connector:capability': 'Offer credentials to connectors',
}

const guidanceId = 'svc.secrets.credential-guidance'
const guidance =
  'Never ask for the raw value of a credential, and never print one. List the names with the tool `secret_list`, and run commands that need a value with `secret_exec`.'

const commands = {
  list: 'secrets:list',
  put: 'secrets:write',
  delete: 'secrets:delete',
  exec: 'secrets:exec',
  job: 'secrets:exec',
}

/** Gives each route its precondition. Throws for a route without listed capabilities. */
export function guardRoutes(routes: readonly Route[], gate: PluginGate): readonly Route[] {
  return routes.map((route) => {
    const required = readCapabilities(route.name)
    return { ...route, precondition: (attempt) => gate.assertGranted(required, attempt) }
  })
}

/** Tools whose route is closed are not listed. */
export function guardTools(tools: readonly Tool[], gate: PluginGate): readonly Tool[] {
  return tools.map((tool) => {
    const required = [...readCapabilities(tool.route), 'mcp:tool']
    return { ...tool, isOffered: () => gate.isOpen(required) }
  })
}

function readCapabilities(routeName: string): readonly string[] {
  const required = capabilitiesOf[routeName]
  if (!required) throw new Error(`The route ${routeName} has no capability.`)
  return required
}

/** The plugin that owns the routes, tools and texts of secrets. */
export function describeSecretsPlugin(
  routes: readonly Route[],
  tools: readonly Tool[],
  version: string,
): BundledPlugin {
  const manifest = manifestSchema.parse({
    schemaVersion: 1,
    id: pluginId,
    name: 'Secrets',
    version,
    publisher: 'svc',
    trustTier: 'core',
    runtime: { kind: 'bundled-module' },
    requires: { core: '>=0.1.0' },
    capabilities: Object.entries(summaries).map(([id, summary]) => ({ id, summary })),
    surfaces: {
      daemonRoutes: routes.map(({ name, method, path, summary = name }) => ({
        method,
        path,
        summary,
        requiredCapabilities: readCapabilities(name),
      })),
      cliCommands: Object.entries(commands).map(([name, capability]) => ({
        path: ['secret', name],
        summary: summaries[capability as keyof typeof summaries],
        requiredCapabilities: ['cli:command', capability],
      })),
      mcpTools: tools.map(({ name, title, description, route }) => ({
        name,
        title,
        summary: description,
        requiredCapabilities: ['mcp:tool', ...readCapabilities(route)],
      })),
      dashboardPanels: [
        {
          id: 'settings.secrets',
          title: 'Secrets',
          summary: 'Store and delete secrets',
          requiredCapabilities: ['dashboard:panel', 'secrets:list'],
        },
      ],
      sdkClients: [
        {
          name: 'secrets',
          summary: 'Calls of the routes of secrets',
          requiredCapabilities: ['sdk:client', 'secrets:list'],
        },
      ],
      connectorCapabilities: [
        {
          id: 'credentials',
          title: 'Credentials',
          summary: 'Settings name `$secret:NAME`',
          requiredCapabilities: ['connector:capability'],
        },
      ],
      promptContributions: [
        {
          id: guidanceId,
          target: 'user-prompt-submit',
          mode: 'context',
          priority: 420,
          maxTokens: 80,
          summary: 'Guidance about credentials',
          requiredCapabilities: ['prompt:contribute:user-prompt-submit'],
        },
      ],
    },
  })
  return { manifest, contents: { [guidanceId]: () => guidance } }
}
