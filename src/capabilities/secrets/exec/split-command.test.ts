import { expect, test } from 'vitest'
import { splitCommand } from './split-command.ts'

test.each([
  ['curl -s url', ['curl', '-s', 'url']],
  [`  a\t'b c'  "d e" `, ['a', 'b c', 'd e']],
  [`a'b'"c"d`, ['abcd']],
  [`'' ""`, ['', '']],
  [`'a\\b$x;y'`, ['a\\b$x;y']],
  [`"a \\" \\\\ \\n $HOME | x"`, ['a " \\ \\n $HOME | x']],
  ['a\\ b \\; \\$x', ['a b', ';', '$x']],
  ['über * ? ~ #x =', ['über', '*', '?', '~', '#x', '=']],
])('%j is split into words without expansion', (command, words) => {
  expect(splitCommand(command)).toEqual({ words })
})

test.each([...';&|`$(){}[]<>!\n\r'])('%j outside of quotes is refused', (character) => {
  expect(splitCommand(`a ${character} b`)).toEqual({ problem: expect.stringContaining('quote') })
  expect(splitCommand(`a "${character}" b`)).toEqual({ words: ['a', character, 'b'] })
})

test.each([`a 'b`, 'a "b', 'a "b\\"', 'a b\\', `"a'`, '', '  '])('%j is refused', (command) => {
  expect(splitCommand(command)).toHaveProperty('problem')
})
