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
every call: it receives nothing twice, owns what it stores, and \`memory_search\` finds only that with the scope
\`session\`.

The header \`x-svc-project\` names the project in which the caller works, as percent-encoded UTF-8; over stdin it is the
working directory. A stored memory is of the project that its arguments name, else of the one of its session, else of this
one. A search ranks memories of it higher and leaves no other out, also at \`POST /api/memory/recall\`. A token of one
project counts before all of them. The harness that a stored memory names as \`who\` is the header \`x-svc-harness\`,
\`harness\` in the address, or what the client calls itself. Where no session is named and the harness runs one alone in the
project, a stored memory is of that session.

A tool call has the permission, the rate limit and the error texts of its route, as a result
with \`isError\`. So are arguments of the wrong shape, with a sentence that names them and what is accepted; an unknown
tool is an error of the protocol. Texts are neutralized before a model reads them. Beside its text \`memory_search\`
answers \`{results: [{id, content, type, date, score}]}\` as structured content.

\`reverie mcp\` also answers while no daemon runs: it lists the tools, and a call is a result with \`isError\` and the
command that starts the daemon. It gives up after 3 s where a daemon hangs, and after 0.3 s for the next 30 s.
`

/** Renders the tool reference from the tables of the daemon. */
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
    `## ${tool.name}`,
    '',
    tool.description,
    '',
    `Effect: ${tool.effect}; \`${method} ${path}\`, permission \`${permission}\`.`,
    '',
    '| argument | type | | |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function renderType(property: unknown): string {
  const { type, enum: words, anyOf } = Object(property)
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(', ')
  if (Array.isArray(anyOf)) return anyOf.map(renderType).join(' or ')
  return String(type ?? 'anything')
}
