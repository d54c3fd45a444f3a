import { spawn } from 'node:child_process'

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
