import type { MountedTool } from '../src/kernel/http/tool.ts'
import { describeTool } from '../src/surfaces/mcp/index.ts'
import type { Tables } from './read-tables.ts'

const intro = `# Tools for models

Written by \`npm run docs\`. The daemon offers these tools over the Model Context Protocol:

- Streamable HTTP at \`/mcp\`, without sessions: configure the address \`http://127.0.0.1:3850/mcp\`
- stdin and stdout, for harnesses that start their servers: command \`reverie\`, arguments \`mcp\`

| what | over HTTP | over stdin |
|---|---|---|
| token | \`Authorization\` | \`SVC_TOKEN\` |
| agent | \`x-svc-agent-id\`, \`agent_id\` in the address, or a session key \`agent:<name>:…\` | \`SVC_AGENT_ID\` |
| session | \`x-svc-session-key\` | the only session of the harness in the project |
| project | \`x-svc-project\`, percent-encoded UTF-8 | the working directory |
| harness | \`x-svc-harness\`, or \`harness\` in the address | the name of the client |

- An argument may name the agent only if the connection names none.
- A session receives each memory once and owns what it stores. \`memory_search\` with the scope \`session\` finds only its
  memories.
- A stored memory gets the first of these projects: that of the token, of its arguments, of its session, of the connection.
- A search ranks memories of the project higher and excludes no others, also at \`POST /api/memory/recall\`.
- A tool call has the permission, the rate limit and the error texts of its route. Refusals and invalid arguments are results
  with \`isError\` that name what is accepted; an unknown tool is a protocol error.
- Texts are neutralized before a model reads them. \`memory_search\` also returns
  \`{results: [{id, content, type, date, score}]}\` as structured content.
- Without a daemon \`reverie mcp\` lists the tools, and a call returns \`isError\` with the command that starts the daemon. If a
  daemon hangs, a call fails after 3 s, and for the next 30 s after 0.3 s.
`

/** Renders the tool reference from the tables of the daemon. */
export function renderMcpTools({ tools }: Tables): string {
  return [intro, ...tools.map(renderTool)].join('\n')
}

function renderTool(tool: MountedTool): string {
  const { inputSchema } = describeTool(tool)
  const rows = Object.entries(inputSchema.properties).map(([name, property]) => {
    const mark = inputSchema.required.includes(name) ? 'required' : ''
    const { description = '' } = Object(property)
    return `| \`${name}\` | ${renderType(property)} | ${mark} | ${description} |`
  })
  const { permission } = tool.route
  const { routeByArgument: other } = tool
  const alternative = other ? `, or ${renderRoute(other.route)} with \`${other.argument}\`` : ''
  return [
    `## ${tool.name}`,
    '',
    tool.description,
    '',
    ...(tool.isOptional ? ['Off by default: a setting offers it.', ''] : []),
    `Effect: ${tool.effect}; ${renderRoute(tool.route)}${alternative}, permission \`${permission}\`.`,
    '',
    '| argument | type | | |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function renderRoute({ method, path }: MountedTool['route']): string {
  return `\`${method} ${path}\``
}

function renderType(property: unknown): string {
  const { type, enum: words, anyOf } = Object(property)
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(', ')
  if (Array.isArray(anyOf)) return anyOf.map(renderType).join(' or ')
  return String(type ?? 'anything')
}
