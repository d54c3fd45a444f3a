import { runHook } from './run-hook.ts'

// A harness takes any other code for a word against what it is about to do.
process.on('uncaughtException', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))

const argv = process.argv.slice(2)
// Built as a module of the older kind, which starts faster and knows no waiting at its top.
void runHook(argv.slice(argv.indexOf('hook') + 1), process.stdin).then(({ stdout, stderr }) => {
  process.stderr.write(stderr)
  // Stdin may still be open, and nothing of this process shall wait for it.
  process.stdout.write(stdout, () => process.exit(0))
})
