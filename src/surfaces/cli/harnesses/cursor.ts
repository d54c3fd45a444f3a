import { join } from 'node:path'
import { type Harness, hookCommand, serverEntry } from './harness.ts'

const events = [
  ['sessionStart', 'session-start'],
  ['beforeSubmitPrompt', 'user-prompt-submit'],
  ['preCompact', 'pre-compaction'],
  ['sessionEnd', 'session-end'],
] as const

export const cursor: Harness = {
  id: 'cursor',
  name: 'Cursor',
  program: 'cursor',
  folder: ({ home }) => join(home, '.cursor'),
  files: ({ home }, launcher) => {
    return [
      {
        form: 'json',
        path: join(home, '.cursor', 'hooks.json'),
        defaults: [{ at: ['version'], value: 1 }],
        hooks: events.map(([event, ours]) => ({
          list: ['hooks', event],
          value: { command: hookCommand(launcher, 'cursor', ours) },
        })),
      },
      {
        form: 'json',
        path: join(home, '.cursor', 'mcp.json'),
        entries: [{ at: ['mcpServers', 'reverie'], value: serverEntry(launcher) }],
      },
    ]
  },
}
