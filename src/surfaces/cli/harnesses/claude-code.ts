import { join } from 'node:path'
import { type Harness, hookCommand, serverEntry } from './harness.ts'

const events = [
  ['SessionStart', 'session-start', 5],
  ['UserPromptSubmit', 'user-prompt-submit', 10],
  ['PreCompact', 'pre-compaction', 5],
  ['PostCompact', 'compaction-complete', 20],
  // A killed terminal runs no SessionEnd.
  ['Stop', 'checkpoint', 15],
  ['SessionEnd', 'session-end', 20],
] as const

export const claudeCode: Harness = {
  id: 'claude-code',
  name: 'Claude Code',
  program: 'claude',
  folder: ({ claudeHome }) => claudeHome,
  files: ({ claudeHome, claudeState }, launcher) => {
    return [
      {
        form: 'json',
        path: join(claudeHome, 'settings.json'),
        hooks: events.map(([event, ours, timeout]) => ({
          list: ['hooks', event],
          value: { type: 'command', command: hookCommand(launcher, 'claude-code', ours), timeout },
          group: 'hooks',
        })),
      },
      {
        form: 'json',
        path: claudeState,
        entries: [
          {
            at: ['mcpServers', 'reverie'],
            // Without it the tools hide behind the tool search.
            value: { type: 'stdio', ...serverEntry(launcher), alwaysLoad: true },
          },
        ],
      },
    ]
  },
}
