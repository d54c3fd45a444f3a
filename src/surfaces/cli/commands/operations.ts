import { command, option, parseCount } from '../command.ts'
import type { LogsOptions } from './logs-run.ts'
import type { TokenOptions } from './token-run.ts'

const token = () => import('./token-run.ts')
const config = () => import('./config-run.ts')

export const operationCommands = [
  command({
    usage: 'status',
    summary: 'Show the health of the daemon',
    examples: ['reverie status', 'reverie status --json'],
    run: async (call) => (await import('./status-run.ts')).status(call),
  }),
  command<LogsOptions>({
    usage: 'logs',
    summary: 'Show the newest lines of the log',
    options: [
      option('-n, --lines <n>', 'number of lines', parseCount).default(50),
      option('--level <level>', 'minimum level').choices(['debug', 'info', 'warn', 'error']),
      option('--follow', 'keep printing new lines until Ctrl-C'),
    ],
    examples: ['reverie logs -n 20', 'reverie logs --level warn --follow'],
    run: async (call) => (await import('./logs-run.ts')).logs(call),
  }),
  command({
    usage: 'doctor',
    summary: 'Report problems and their fixes',
    examples: ['reverie doctor'],
    run: async (call) => (await import('./doctor-run.ts')).doctor(call),
  }),
  command<TokenOptions>({
    usage: 'token create',
    summary: 'Create a token',
    options: [
      option('--role <role>', 'role of the token')
        .choices(['admin', 'operator', 'agent', 'readonly'])
        .makeOptionMandatory(),
      option('--for <agent>', 'limit the token to this agent'),
      option('--project <name>', 'limit the token to this project'),
      option('--ttl <seconds>', 'lifetime; seven days by default', parseCount),
      option('--name <subject>', 'subject of the token in the records'),
      option('--local', 'sign with the secret of this workspace, without a daemon or a token'),
    ],
    examples: [
      'reverie token create --role agent --for ada --ttl 86400',
      'reverie token create --role admin --local',
    ],
    run: async (call) => (await token()).create(call),
  }),
  command({
    usage: 'config get [key]',
    summary: 'Show the settings, or one value',
    examples: ['reverie config get', 'reverie config get auth.mode'],
    run: async (call) => (await config()).get(call),
  }),
  command({
    usage: 'config set <key> <value>',
    summary: 'Change one setting; keeps comments in the file',
    examples: ['reverie config set logging.level debug', 'reverie config set auth.mode team'],
    run: async (call) => (await config()).set(call),
  }),
]
