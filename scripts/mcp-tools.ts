import type { MountedTool } from '../src/kernel/http/tool.ts'
import { describeTool } from '../src/surfaces/mcp/index.ts'
import type { Tables } from './read-tables.ts'

const intro = `# Tools for models

Written by \`npm run docs\`. The daemon offers these over the Model Context Protocol:

- Streamable HTTP at \`/mcp\`, without sessions: give a harness the address \`http://127.0.0.1:3850/mcp\`
- stdin and stdout, for harnesses that start their servers: command \`reverie\`, arguments \`mcp\`

Over HTTP the agent is named by the header \`x-svc-agent-id\`, \`agent_id\` in the address or a session key
\`agent:<name>:…\`, and a token goes into \`Authorization\`; over stdin \`SVC_AGENT_ID\` and \`SVC_TOKEN\` say the same. An
argument may name the agent only where the connection names none. The header \`x-svc-session-key\` names the session of
every call: it is told nothing twice, what it stores is its own, and \`memory_search\` finds that alone with the scope
\`session\`. Whatever else the address says, such as \`harness\`, changes nothing.

A tool asks for the permission of the route that it stands for, is counted with it and refuses in its words, as a result
with \`isError\`. Arguments of the wrong shape and unknown tools are errors of the protocol.
`

/** The reference of the tools, from the tables that the daemon serves. */
export function renderMcpTools({ tools }: Tables): string {
  return [intro, ...tools.map(renderTool)].join('\n')
}

function renderTool(tool: MountedTool): string {
  const { inputSchema } = describeTool(tool)
  const rows = Object.entries(inputSchema.properties).map(([name, property]) => {
    const needed = inputSchema.required.includes(name) ? 'required' : ''
    const { description = '' } = Object(property)
    return `| \`${name}\` | ${renderType(property)} | ${needed} | ${description} |`
  })
  const { method, path, permission } = tool.route
  return [
    ...[`## ${tool.name}`, '', tool.description, ''],
    `Effect: ${tool.effect}; \`${method} ${path}\`, permission \`${permission}\`.`,
    ...['', '| argument | type | | |', '|---|---|---|---|', ...rows, ''],
  ].join('\n')
}

function renderType(property: unknown): string {
  const { type, enum: words, anyOf } = Object(property)
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(', ')
  if (Array.isArray(anyOf)) return anyOf.map(renderType).join(' or ')
  return String(type ?? 'anything')
}
