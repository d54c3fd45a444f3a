import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { testHome } from './test-home.ts'

interface Session {
  readonly env: Readonly<Record<string, string>>
  /** Presses the keys once this text is on the screen. */
  readonly prompt?: string
  readonly keys?: string
}

/** Runs the built command line in a pseudoterminal. Both streams go to the screen. */
export async function runAtTerminal(
  args: readonly string[],
  { env, prompt = '', keys = '' }: Session,
): Promise<{ readonly code: number; readonly screen: string }> {
  const words = [process.execPath, 'dist/main.js', ...args]
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const { PATH = '' } = process.env
  // A pseudoterminal has no default size.
  const child = spawn('script', ['-qec', `stty cols 100 rows 30 && ${line}`, '/dev/null'], {
    env: { PATH, HOME: testHome, SHELL: '/bin/sh', TERM: 'xterm', ...env },
  })
  let screen = ''
  let isAnswered = prompt === ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    if (isAnswered || !screen.includes(prompt)) return
    isAnswered = true
    child.stdin.write(keys)
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, screen }
}
