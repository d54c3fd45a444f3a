import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * A killed test process cannot clean up. A separate process sees the end of its input and kills
 * everything on its list.
 */
const program = fileURLToPath(new URL('./reap.ts', import.meta.url))
const reaper = spawn(process.execPath, [program], {
  detached: true,
  stdio: ['pipe', 'ignore', 'inherit'],
})
reaper.unref()
// Nothing here may keep the tests from ending.
;(reaper.stdin as unknown as { unref(): void }).unref()

/** Registers a process or the daemon of a workspace; returns the function that unregisters it. */
export function reapLater(what: number | string): () => void {
  reaper.stdin.write(`+${what}\n`)
  return () => void reaper.stdin.write(`-${what}\n`)
}

/** Deletes a folder when this process has ended, in whatever way. */
export function removeLater(folder: string): void {
  reaper.stdin.write(`/${folder}\n`)
}
