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

/** For a program that is not known here: what it shall run, to be copied from. */
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
