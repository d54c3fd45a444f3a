import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'

/** MCP tools. Each maps to one route. */
export const secretsTools: readonly Tool[] = [
  tool({
    name: 'secret_list',
    title: 'List secrets',
    effect: 'reads',
    route: 'secrets.list',
    description: 'List the names of the stored credentials. No tool returns a value.',
    input: z.object({}),
    toRouteInput: () => ({}),
  }),
  tool({
    name: 'secret_exec',
    title: 'Run with secrets',
    effect: 'runs',
    route: 'secrets.exec',
    description:
      'Run a command that receives credentials in environment variables, without seeing them. No shell runs it, so $NAME is not expanded: the program must read its environment. Returns a job id for secret_exec_status.',
    input: z.object({
      command: z.string().describe('A program with arguments'),
      secrets: z
        .record(z.string(), z.string())
        .describe('Names of secrets by environment variable: {"GH_TOKEN": "GITHUB_TOKEN"}'),
      timeoutMs: z.number().describe('Timeout in milliseconds').optional(),
    }),
    toRouteInput: (body) => ({ body }),
  }),
  tool({
    name: 'secret_exec_status',
    title: 'Read a run with secrets',
    effect: 'reads',
    route: 'secrets.exec-status',
    description: 'Read the state, exit code and redacted output of a secret_exec job.',
    input: z.object({ id: z.string().describe('The id of the job') }),
    toRouteInput: ({ id }) => ({ params: { jobId: id } }),
  }),
]
