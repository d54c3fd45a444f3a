/** In MB. A larger value gains no speed, and V8 would retain up to 120 MB. */
export const semiSpaceFlag = '--max-semi-space-size=8'

/**
 * Settings of the allocator of glibc, in bytes. By default it fragments memory, because it mixes large
 * arrays with small blocks. It gives each thread an arena. Its small pages cost TLB misses.
 */
const memory = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: `${2 ** 19}`,
  MALLOC_TRIM_THRESHOLD_: `${2 ** 23}`,
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
}

/** The variables of a daemon that is started from this shell. */
export function readDaemonVariables(): NodeJS.ProcessEnv {
  return { ...memory, ...process.env }
}

/**
 * Replaces this process, under the same id, by one with the flags and variables that only a new
 * process reads. Not on Windows, and not below a parent with a channel, which would be lost.
 */
export function restartAsDaemon(): void {
  const { platform, channel, execArgv, execPath, argv } = process
  const isDaemon = argv.includes('start') && argv.includes('--foreground')
  if (!isDaemon || execArgv.includes(semiSpaceFlag) || platform === 'win32' || channel) return
  const words = [execPath, ...execArgv, semiSpaceFlag, ...argv.slice(1)]
  process.execve?.(execPath, words, readDaemonVariables())
}
