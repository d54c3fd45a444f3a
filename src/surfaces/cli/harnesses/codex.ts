import { join } from 'node:path'
import { stringify } from 'smol-toml'
import { type Harness, hookCommand, serverEntry } from './harness.ts'

const events = [
  ['SessionStart', 'session-start', 5],
  ['UserPromptSubmit', 'user-prompt-submit', 10],
  ['PreCompact', 'pre-compaction', 5],
  ['Stop', 'checkpoint', 15],
  // Codex allows at most 3 s here, and warns at each start about more.
  ['SessionEnd', 'session-end', 3],
] as const

/** The harness forwards no variable to a server that is not on this list. */
const variables = ['SVC_PATH', 'SVC_URL', 'SVC_DAEMON_URL', 'SVC_PORT', 'SVC_TOKEN', 'SVC_AGENT_ID']

const eventsWithContext = new Set<string>(['session-start', 'user-prompt-submit'])
/** Of a longer context than some 2,500 tokens it would show the beginning alone. */
const noContextLimit = { additionalContextLimit: 0 }

export const codex: Harness = {
  id: 'codex',
  name: 'Codex CLI',
  program: 'codex',
  folder: ({ codexHome }) => codexHome,
  notice: 'Codex runs these hooks only after you have trusted them: start codex, open /hooks.',
  files: ({ codexHome }, launcher) => {
    const reverie = { ...serverEntry(launcher), env_vars: variables }
    return [
      {
        form: 'toml',
        path: join(codexHome, 'config.toml'),
        table: ['mcp_servers', 'reverie'],
        lines: stringify({ mcp_servers: { reverie } }).trimEnd().split('\n'),
      },
      {
        form: 'json',
        path: join(codexHome, 'hooks.json'),
        hooks: events.map(([event, ours, timeout]) => ({
          list: ['hooks', event],
          value: {
            type: 'command',
            command: hookCommand(launcher, 'codex', ours),
            timeout,
            ...(eventsWithContext.has(ours) && noContextLimit),
          },
          group: 'hooks',
        })),
      },
    ]
  },
}
