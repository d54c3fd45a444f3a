import { join } from 'node:path'
import { type Harness, hookCommand, serverEntry } from './harness.ts'

const events = [
  'session-start',
  'user-prompt-submit',
  'pre-compaction',
  'compaction-complete',
  'checkpoint',
  'session-end',
]

/** For other programs: a file with the hooks and the server, to copy from. */
export const generic: Harness = {
  id: 'generic',
  name: 'Any other',
  folder: ({ workspace }) => workspace,
  files: ({ workspace }, launcher) => {
    return [
      {
        form: 'json',
        path: join(workspace, 'harnesses', 'generic.json'),
        entries: [{ at: ['mcpServers', 'reverie'], value: serverEntry(launcher) }],
        hooks: events.map((event) => ({
          list: ['hooks', event],
          value: { command: hookCommand(launcher, 'generic', event) },
        })),
      },
    ]
  },
}
