import { readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { runCli } from '../../src/surfaces/cli/cli.ts'
import type { Command, CommandSpec } from '../../src/surfaces/cli/command.ts'

const [build = ''] = /builds\/\w+/.exec(readFileSync('dist/main.js', 'utf8')) ?? []
const file = `dist/${build}/cli-commands.json`
const catalogue = JSON.parse(readFileSync(file, 'utf8')) as CommandSpec[]
const commands: readonly Command[] = catalogue.map((spec) => ({
  ...spec,
  run: () => Promise.reject(new Error('only the help runs here')),
}))
const program = {
  version: '0.0.0',
  runDaemon: () => Promise.reject(new Error('no daemon runs here')),
  checkStart: () => Promise.reject(new Error('no daemon runs here')),
}

/** Renders the help of a command of the build without a process of its own. */
export async function renderHelp(command: readonly string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await runCli([...command, '--help'], program, commands)
    return write.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    write.mockRestore()
  }
}

/** The names below a command that its help lists; the help of `[]` lists the top. */
export async function listSubcommands(command: readonly string[]): Promise<string[]> {
  const [, ...lists] = (await renderHelp(command)).split(/^(?:Commands|Daemon):/m)
  const listed = lists.join('')
  const names = [...listed.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'help')
}
