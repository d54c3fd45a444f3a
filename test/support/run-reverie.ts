import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Role } from './credentials.ts'
import { type Run, runInProcess } from './run-in-process.ts'
import type { Service } from './start-service.ts'
import { testHome } from './test-home.ts'

export interface Running {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** The program to run instead of the build, and its Node. */
  readonly command?: readonly string[]
  /** Runs the command in a process of its own, for what depends on one. */
  readonly ownProcess?: boolean
}

/** Commands that start or are long-running processes, or read how they were started. */
const processCommands = /^(start|stop|restart|setup|upgrade|mcp|hook|service|completion|complete)$/

/** Runs the built command line to its end, without the caller's settings. */
export async function runReverie(args: readonly string[], how: Running = {}): Promise<Run> {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: testHome, ...how.env }
  const needsProcess =
    how.ownProcess || how.command || args.some((word) => processCommands.test(word))
  if (!needsProcess && !('FORCE_COLOR' in env)) return runInProcess(args, env, how.input ?? '')
  const [node = '', ...script] = how.command ?? [process.execPath, 'dist/main.js']
  const child = spawn(node, [...script, ...args], { env })
  // A command may end without reading its input.
  child.stdin.on('error', () => {})
  child.stdin.end(how.input ?? '')
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, stdout, stderr }
}

/** A command line that is connected to this service. */
export function reverieOf(service: Service, role: Role = 'operator', agent = 'ada') {
  const env = { SVC_URL: service.url, SVC_TOKEN: service.tokenFor(role), SVC_AGENT_ID: agent }
  const outputs: string[] = []
  const run = async (args: readonly string[], input = ''): Promise<Run> => {
    const ended = await runReverie(args, { env, input })
    outputs.push(ended.stdout, ended.stderr)
    return ended
  }
  return {
    env,
    run,
    /** All that was printed so far. */
    outputs,
    /** Parsed stdout with `--json`; throws if the run failed. */
    json: async (args: readonly string[], input = ''): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await run([...args, '--json'], input)
      if (code !== 0) throw new Error(`exit ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}
