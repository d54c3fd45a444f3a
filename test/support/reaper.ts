import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Whoever runs the tests may be killed by force, and then tidies nothing up: another process hears
 * of that by the end of its input, and kills what is still on its list.
 */
const program = fileURLToPath(new URL('./reap.ts', import.meta.url))
const reaper = spawn(process.execPath, [program], {
  detached: true,
  stdio: ['pipe', 'ignore', 'inherit'],
})
reaper.unref()
// Nothing that runs must keep the tests from ending.
;(reaper.stdin as unknown as { unref(): void }).unref()

/** Puts a process, by its id, or the daemon of a workspace on the list; gives how to take it off. */
export function reapLater(what: number | string): () => void {
  reaper.stdin.write(`+${what}\n`)
  return () => void reaper.stdin.write(`-${what}\n`)
}

/** Removes a folder when the tests of this process have ended, however they end. */
export function removeLater(folder: string): void {
  reaper.stdin.write(`/${folder}\n`)
}
