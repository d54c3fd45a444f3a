import type { Contribution, PluginsPort } from '../needs.ts'
import { toText } from '../start/texts.ts'

const tag = 'svc-plugin-context'
const aboutCredentials = /\b(?:credential|secret|password|passphrase|token|api key|apikey)s?\b/

interface Asked {
  readonly normalized: string
  /** Whether there is something to tell of entities. */
  readonly hasEntityContext: boolean
}

/** What plugins add to a prompt: to a plain one nothing. */
export async function readPluginContext(
  plugins: PluginsPort,
  { normalized, hasEntityContext: isTold }: Asked,
): Promise<string> {
  if (!isTold && !aboutCredentials.test(normalized)) return ''
  const pieces = await plugins.listContributions('user-prompt-submit')
  return pieces.length === 0 ? '' : ['## Plugin Context', ...pieces.map(fence)].join('\n')
}

/** Nothing in a piece can end its fence early. */
function fence(piece: Contribution): string {
  const said = { plugin: piece.pluginId, id: piece.id, target: 'user-prompt-submit' }
  const about = Object.entries(said).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return `<${tag} ${about.join(' ')}>\n${toText(piece)}\n</${tag}>`
}
