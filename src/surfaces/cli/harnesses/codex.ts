import { join } from 'node:path'
import { stringify } from 'smol-toml'
import { type Harness, hookCommand, serverWords } from './harness.ts'

const events = [
  ['SessionStart', 'session-start', 5],
  ['UserPromptSubmit', 'user-prompt-submit', 10],
  ['PreCompact', 'pre-compaction', 5],
  ['Stop', 'checkpoint', 15],
  // It allows no more at the end, and warns at each start of who asks for it.
  ['SessionEnd', 'session-end', 3],
] as const

const telling = new Set<string>(['session-start', 'user-prompt-submit'])
/** Of a longer context than some 2,500 tokens it would show the beginning alone. */
const inFull = { additionalContextLimit: 0 }

export const codex: Harness = {
  id: 'codex',
  name: 'Codex CLI',
  program: 'codex',
  folder: ({ codexHome }) => codexHome,
  files: ({ codexHome }, launcher) => {
    const [command, ...args] = serverWords(launcher)
    return [
      {
        form: 'toml',
        path: join(codexHome, 'config.toml'),
        table: ['mcp_servers', 'reverie'],
        lines: ['[mcp_servers.reverie]', ...stringify({ command, args }).trimEnd().split('\n')],
      },
      {
        form: 'json',
        path: join(codexHome, 'hooks.json'),
        hooks: events.map(([event, ours, timeout]) => ({
          list: ['hooks', event],
          value: {
            ...{ type: 'command', command: hookCommand(launcher, 'codex', ours), timeout },
            ...(telling.has(ours) && inFull),
          },
          group: 'hooks',
        })),
      },
    ]
  },
}
