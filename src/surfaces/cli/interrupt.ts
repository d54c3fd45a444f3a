import { ProgramExit } from './failure.ts'

/** The exit code of a program that Ctrl-C ends. */
const interruptedExitCode = 130

/** Runs a request that Ctrl-C aborts; then the program exits with 130. */
export async function withInterrupt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  process.stdout.once('error', stop)
  try {
    await work(signal)
  } catch (error) {
    throw signal.aborted ? new ProgramExit(interruptedExitCode) : error
  } finally {
    process.removeListener('SIGINT', stop)
  }
}
