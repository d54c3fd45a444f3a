import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Harness, serverWords, toVariables } from './harness.ts'
import { pluginMarker, renderPlugin } from './opencode-plugin.ts'

export const opencode: Harness = {
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  folder: ({ configHome }) => join(configHome, 'opencode'),
  files: ({ configHome }, launcher) => {
    const folder = join(configHome, 'opencode')
    const environment = toVariables(launcher.target ?? {})
    const commented = join(folder, 'opencode.jsonc')
    return [
      {
        form: 'json',
        path: existsSync(commented) ? commented : join(folder, 'opencode.json'),
        entries: [
          {
            at: ['mcp', 'reverie'],
            value: {
              type: 'local',
              command: serverWords(launcher),
              enabled: true,
              ...(environment && { environment }),
            },
          },
        ],
      },
      {
        form: 'whole',
        path: join(folder, 'plugins', 'reverie.js'),
        marker: pluginMarker,
        text: renderPlugin(launcher),
      },
    ]
  },
}
