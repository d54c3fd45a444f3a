import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import about from '../../package.json' with { type: 'json' }

export interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type RunCli = (argv: readonly string[], program: object) => Promise<number>

const loaded: { runCli?: Promise<RunCli> } = {}
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command of the build inside the test process: loading the program takes a process longer
 * than most commands. Commands run one after another, because they share the variables and streams.
 */
export function runInProcess(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  input: string,
): Promise<Run> {
  const run = last.then(() => runAlone(args, variables, input))
  last = run.catch(() => {})
  return run
}

async function runAlone(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  input: string,
): Promise<Run> {
  const restore = replaceProcessState(variables, input)
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  try {
    loaded.runCli ??= loadCli()
    const runCli = await loaded.runCli
    const program = { version: about.version, runDaemon: refuse, checkStart: refuse }
    const code = await runCli(args, program)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.end()
    stderr.end()
    restore()
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('A daemon needs a process of its own.'))
}

/** The chunk of the build that `dist/main.js` loads. */
async function loadCli(): Promise<RunCli> {
  const [build = ''] = /builds\/\w+/.exec(readFileSync('dist/main.js', 'utf8')) ?? []
  const entry = readFileSync(`dist/${build}/main.js`, 'utf8')
  const [, chunk = ''] = /import\("\.\/(cli-\w+\.js)"\)/.exec(entry) ?? []
  const file = pathToFileURL(resolve('dist', build, chunk)).href
  return ((await import(/* @vite-ignore */ file)) as { runCli: RunCli }).runCli
}

function replaceProcessState(variables: Readonly<Record<string, string>>, input: string) {
  const { argv } = process
  const environment = { ...process.env }
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  setVariables(variables)
  process.argv = [process.execPath, resolve('dist/main.js')]
  Object.defineProperty(process, 'stdin', {
    value: Readable.from([Buffer.from(input)]),
    configurable: true,
  })
  return () => {
    setVariables(environment)
    process.argv = argv
    Object.defineProperty(process, 'stdin', stdin)
  }
}

function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, variables)
}

/** Collects what is written to a stream, and writes nothing. */
function capture(stream: NodeJS.WriteStream) {
  const { write } = stream
  const written: string[] = []
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    written.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined
    if (done) queueMicrotask(done)
    return true
  }
  return {
    text: () => written.join(''),
    end: () => {
      stream.write = write
    },
  }
}
