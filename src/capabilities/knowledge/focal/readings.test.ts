import { expect, test } from 'vitest'
import type { Focus } from './find-focus.ts'
import { readByLink, readByName } from './readings.ts'

const focus = (
  name: string,
  matches: readonly string[],
  aliases: readonly string[] = [],
): Focus => ({
  id: name,
  name,
  entityType: 'system',
  isExact: true,
  matches,
  aliases,
})
const titan = focus('Atlas', ['the titan'], ['the titan'])

test.each([
  ['Which port has the Titan?', [titan], 'Which port has Atlas?'],
  ['The-Titan, and THE TITAN', [titan], 'Atlas, and Atlas'],
  ['Is Maud’s hut dry?', [focus('Pier Hut', ['maud hut'], ['maud hut'])], 'Is Pier Hut dry?'],
  // The question contains the name itself.
  ['Is Atlas the Titan?', [focus('Atlas', ['atlas', 'the titan'], ['the titan'])], undefined],
  // The alias is a part of another name.
  ['Who sank the titan gate?', [titan, focus('The Titan Gate', ['the titan gate'])], undefined],
  ['Who sank the titanic?', [titan], undefined],
  ['我们的巨人在哪里', [focus('东京支社', ['巨人'], ['巨人'])], '我们的东京支社在哪里'],
])('%s is read with the names of its aliases', (text, focal, reading) => {
  expect(readByName(text, focal)?.text).toBe(reading)
})

test('a reading by a link names the end of the link, for the two strongest', () => {
  const link = (toName: string) => ({
    fromId: 'Atlas',
    toId: toName,
    toName,
    dependencyType: 'uses',
    strength: 1,
  })
  const links = ['Heron', 'Egret', 'Crane'].map(link)

  const readings = readByLink({
    text: 'Which port has what Atlas uses?',
    focal: [focus('Atlas', ['atlas'])],
    links,
  })

  expect([...readings.keys()]).toEqual(['Heron', 'Egret'])
  expect(readings.get('Heron')).toEqual({
    text: 'Which port has what Heron uses?',
    share: 0.9,
    reason: 'Atlas uses Heron',
  })
})
