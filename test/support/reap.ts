import { readFileSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'

// Runs next to the tests of one process and removes what they leave behind.
const left = new Set<string>()
const folders = new Set<string>()
for (const line of (await text(process.stdin)).split('\n')) {
  const [sign, what] = [line.slice(0, 1), line.slice(1)]
  if (sign === '+') left.add(what)
  if (sign === '-') left.delete(what)
  if (sign === '/') folders.add(what)
}
for (const what of left) kill(/^\d+$/.test(what) ? Number(what) : readPid(what))
for (const folder of folders) rmSync(folder, { recursive: true, force: true })

/** The daemon named in its workspace. */
function readPid(workspace: string): number {
  try {
    return Number(JSON.parse(readFileSync(`${workspace}/.daemon/daemon.json`, 'utf8')).pid)
  } catch {
    return 0
  }
}

function kill(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
