import { command, option, parseCount } from '../command.ts'
import type { Reading } from './logs-run.ts'
import type { Granting } from './token-run.ts'

const token = () => import('./token-run.ts')
const config = () => import('./config-run.ts')

export const operationCommands = [
  command({
    usage: 'status',
    summary: 'Say how the daemon is',
    examples: ['reverie status', 'reverie status --json'],
    run: async (call) => (await import('./status-run.ts')).status(call),
  }),
  command<Reading>({
    usage: 'logs',
    summary: 'Show the newest lines of the log',
    options: [
      option('-n, --lines <n>', 'this many', parseCount).default(50),
      option('--level <level>', 'this and worse').choices(['debug', 'info', 'warn', 'error']),
      option('--follow', 'go on until Ctrl-C'),
    ],
    examples: ['reverie logs -n 20', 'reverie logs --level warn --follow'],
    run: async (call) => (await import('./logs-run.ts')).logs(call),
  }),
  command({
    usage: 'doctor',
    summary: 'Find what is wrong, and say how to mend it',
    examples: ['reverie doctor'],
    run: async (call) => (await import('./doctor-run.ts')).doctor(call),
  }),
  command<Granting>({
    usage: 'token create',
    summary: 'Make a credential',
    options: [
      option('--role <role>', 'what it may do')
        .choices(['admin', 'operator', 'agent', 'readonly'])
        .makeOptionMandatory(),
      option('--for <agent>', 'confine it to this agent'),
      option('--project <name>', 'confine it to this project'),
      option('--ttl <seconds>', 'how long it holds; seven days unless said', parseCount),
      option('--name <subject>', 'whom it is for, as the records will say'),
      option('--local', "sign it with this workspace's own secret, without a daemon or a token"),
    ],
    examples: [
      'reverie token create --role agent --for ada --ttl 86400',
      'reverie token create --role admin --local',
    ],
    run: async (call) => (await token()).create(call),
  }),
  command({
    usage: 'config get [key]',
    summary: 'Show the configuration, or one value of it',
    examples: ['reverie config get', 'reverie config get auth.mode'],
    run: async (call) => (await config()).get(call),
  }),
  command({
    usage: 'config set <key> <value>',
    summary: 'Change one value; comments in the file stay',
    examples: ['reverie config set logging.level debug', 'reverie config set auth.mode team'],
    run: async (call) => (await config()).set(call),
  }),
]
