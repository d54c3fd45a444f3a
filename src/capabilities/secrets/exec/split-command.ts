/** Characters with a meaning in shells; they are refused outside of quotes. */
const refusedCharacters = new Set(';&|`$(){}[]<>!\n\r')

export type SplitCommand = { readonly words: readonly string[] } | { readonly problem: string }

/**
 * Splits a command into words by the rules of POSIX: single and double quotes and the backslash.
 * Nothing is expanded.
 */
export function splitCommand(command: string): SplitCommand {
  const refusedCharacter = findRefused(command)
  if (refusedCharacter !== undefined) return { problem: explain(refusedCharacter) }
  const words: string[] = []
  const blanks = /[ \t]*/y
  for (let at = skip(blanks, command, 0); at < command.length; at = skip(blanks, command, at)) {
    const word = readWord(command, at)
    if (!word) return { problem: 'A quote is not closed, or a backslash ends the command.' }
    words.push(word.text)
    at = word.end
  }
  return words.length > 0 ? { words } : { problem: 'The command is empty.' }
}

/** One part of a word: quoted, escaped or bare. */
const part =
  /'(?<single>[^']*)'|"(?<double>(?:\\[\s\S]|[^"\\])*)"|\\(?<escaped>[\s\S])|(?<bare>[^\s'"\\]+)/y

function readWord(command: string, start: number) {
  let [text, end] = ['', start]
  while (end < command.length && !/\s/.test(command[end] ?? '')) {
    part.lastIndex = end
    const groups = part.exec(command)?.groups
    if (!groups) return undefined
    const { single, double, escaped, bare } = groups
    text += single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? bare ?? ''
    end = part.lastIndex
  }
  return { text, end }
}

function findRefused(command: string): string | undefined {
  const bare = command.replaceAll(/'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[^\n\r]/g, '')
  return [...bare].find((character) => refusedCharacters.has(character))
}

function skip(blanks: RegExp, command: string, from: number): number {
  blanks.lastIndex = from
  blanks.exec(command)
  return blanks.lastIndex
}

function explain(character: string): string {
  const name = /\s/.test(character) ? 'a line break' : character
  return `The command contains ${name} outside of quotes. No shell runs it: quote the character, or run a script.`
}
