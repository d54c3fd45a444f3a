import { join } from 'node:path'
import { type Harness, hookCommand, serverEntry } from './harness.ts'

/** With milliseconds, unlike the others. */
const events = [
  ['SessionStart', 'session-start', 5000],
  ['BeforeAgent', 'user-prompt-submit', 10_000],
  ['SessionEnd', 'session-end', 20_000],
] as const

export const gemini: Harness = {
  id: 'gemini',
  name: 'Gemini CLI',
  program: 'gemini',
  folder: ({ home }) => join(home, '.gemini'),
  files: ({ home }, launcher) => {
    const entry = serverEntry(launcher)
    // The harness withholds tokens from its servers. It fills in this variable when it reads the file.
    const env = { ...Object(entry['env']), SVC_TOKEN: '$SVC_TOKEN' }
    const run = (event: string) => hookCommand(launcher, 'gemini', event)
    return [
      {
        form: 'json',
        path: join(home, '.gemini', 'settings.json'),
        entries: [{ at: ['mcpServers', 'reverie'], value: { ...entry, env } }],
        hooks: events.map(([event, ours, timeout]) => ({
          list: ['hooks', event],
          value: { name: `reverie-${ours}`, type: 'command', command: run(ours), timeout },
          group: 'hooks',
        })),
        // It fires on every turn.
        formerHooks: [{ list: ['hooks', 'PreCompress'], group: 'hooks' }],
      },
    ]
  },
}
