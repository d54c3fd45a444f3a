import type { Command as Parser } from 'commander'
import { command } from './command.ts'

const shells: Readonly<Record<string, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  pwsh: 'powershell',
}

/** Listed in the help; the library carries it out. */
export const completionCommand = command({
  usage: 'completion <shell>',
  summary: `Print the completion script for a shell: ${Object.keys(shells).join(', ')}`,
  examples: ['source <(reverie completion bash)', 'reverie completion fish | source'],
  run: () => Promise.resolve(),
})

/** Whether this is the question of a shell, or the request for the script that lets it ask. */
export function isCompletion([first, shell = '-']: readonly string[]): boolean {
  return first === 'complete' || (first === 'completion' && !shell.startsWith('-'))
}

/** Adds the two commands; what they know of the others is read from the parser. */
export async function addCompletion(parser: Parser): Promise<void> {
  const { default: complete } = await import('@bomb.sh/tab/commander')
  complete(parser, { completionCommandName: 'completion' })
}

/** The shell by the name that the library has for it. */
export function toLibraryArguments([first = '', shell = '', ...rest]: readonly string[]): string[] {
  return first === 'completion' ? [first, shells[shell] ?? shell, ...rest] : [first, shell, ...rest]
}
