import type { Command as Parser } from 'commander'
import { command } from './command.ts'
import { CliError } from './failure.ts'

const shells: Readonly<Record<string, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  pwsh: 'powershell',
}

/** Listed in the help; the library runs it. */
export const completionCommand = command({
  usage: 'completion <shell>',
  summary: `Print the completion script for a shell: ${Object.keys(shells).join(', ')}`,
  examples: ['source <(reverie completion bash)', 'reverie completion fish | source'],
  run: () => Promise.resolve(),
})

/** Whether the line is a request of a shell, or of the script that lets a shell send them. */
export function isCompletion([first, shell = '-']: readonly string[]): boolean {
  return first === 'complete' || (first === 'completion' && !shell.startsWith('-'))
}

/** Adds the two commands of the library, which reads the others from the parser. */
export async function addCompletion(parser: Parser): Promise<void> {
  const { default: complete } = await import('@bomb.sh/tab/commander')
  complete(parser, { completionCommandName: 'completion' })
}

/** The library would list its own names of the shells. */
export function assertShell([first = '', shell = '']: readonly string[]): void {
  if (first !== 'completion' || Object.entries(shells).flat().includes(shell)) return
  const message = `there is no completion for ${shell}; the shells are ${Object.keys(shells).join(', ')}`
  throw new CliError('usage', 'usage', message, 'reverie completion --help')
}

/** Maps the shell to its name in the library. */
export function toLibraryArguments([first = '', shell = '', ...rest]: readonly string[]): string[] {
  return first === 'completion' ? [first, shells[shell] ?? shell, ...rest] : [first, shell, ...rest]
}
