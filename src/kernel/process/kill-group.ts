/** Signals all processes of a group. A group that has ended is no error. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && isGone(error.code))) throw error
  }
}

/** Some systems return EPERM for a group that contains only zombies. */
function isGone(code: unknown): boolean {
  return code === 'ESRCH' || code === 'EPERM'
}
