import { runHook } from './run-hook.ts'

// A harness treats any other exit code as a veto.
process.on('uncaughtException', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))

const argv = process.argv.slice(2)
// Built as CommonJS, which starts faster and has no top-level await.
void runHook(argv.slice(argv.indexOf('hook') + 1), process.stdin).then(({ stdout, stderr }) => {
  process.stderr.write(stderr)
  // Stdin may still be open and must not keep the process alive.
  process.stdout.write(stdout, () => process.exit(0))
})
