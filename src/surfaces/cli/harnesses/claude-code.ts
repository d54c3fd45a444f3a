import { join } from 'node:path'
import { type Harness, hookCommand, serverWords } from './harness.ts'

const events = [
  ['SessionStart', 'session-start', 5],
  ['UserPromptSubmit', 'user-prompt-submit', 10],
  ['PreCompact', 'pre-compaction', 5],
  ['PostCompact', 'compaction-complete', 20],
  ['SessionEnd', 'session-end', 20],
] as const

export const claudeCode: Harness = {
  id: 'claude-code',
  name: 'Claude Code',
  program: 'claude',
  folder: ({ claudeHome }) => claudeHome,
  files: ({ claudeHome, claudeState }, launcher) => {
    const [command, ...args] = serverWords(launcher)
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
        entries: [{ at: ['mcpServers', 'reverie'], value: { type: 'stdio', command, args } }],
      },
    ]
  },
}
