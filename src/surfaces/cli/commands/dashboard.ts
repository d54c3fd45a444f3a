import { spawn } from 'node:child_process'
import { command, option } from '../command.ts'
import { colors } from '../output.ts'

interface DashboardOptions {
  /** False with `--no-open`. */
  readonly open: boolean
}

export const dashboard = command<DashboardOptions>({
  usage: 'dashboard',
  summary: 'Open the dashboard in the browser, signed in; also called ui',
  options: [option('--no-open', 'print the address only')],
  examples: ['reverie dashboard --no-open'],
  run: async ({ options, output, environment, connect }) => {
    const client = await connect()
    const { requiresAuth } = await client.call('GET /api/mode')
    const url = new URL(client.url)
    // The part after # reaches no server and no log. The code works once, within a minute.
    if (requiresAuth) url.hash = `code=${(await client.call('POST /api/auth/handoff')).code}`
    if (options.open && environment.isTerminal) openBrowser(url.href)
    output.result({ url: url.href }, () => {
      const note = requiresAuth ? '\n  The address signs in once, within a minute.' : ''
      return `${colors.cyan(url.href)}${note}`
    })
  },
})

const programs: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a web address in the browser of the user; without one, the printed address remains. */
export function openBrowser(address: string): void {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return
  const [program = '', ...args] = programs[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
