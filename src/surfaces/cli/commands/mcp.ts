import { command } from '../command.ts'

export const mcpCommands = [
  command({
    usage: 'mcp',
    summary: 'Be an MCP server on stdin and stdout, by way of the daemon',
    examples: ['reverie mcp', 'reverie mcp --agent ada'],
    run: async (call) => (await import('./mcp-run.ts')).mcp(call),
  }),
]
