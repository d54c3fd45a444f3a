import { command } from '../command.ts'

export const mcpCommands = [
  command({
    usage: 'mcp',
    summary: 'Run an MCP server on stdin and stdout that forwards to the daemon',
    examples: ['reverie mcp', 'reverie mcp --agent ada'],
    run: async (call) => (await import('./mcp-run.ts')).mcp(call),
  }),
]
