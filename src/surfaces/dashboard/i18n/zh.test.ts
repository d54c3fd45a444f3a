import { expect, test } from 'vitest'
import { en } from './en.ts'
import { zh } from './zh.ts'

/** Every text of a catalogue with its path; functions get numbers, which every text accepts. */
function listTexts(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value(2, 3, 4))]]
  return Object.entries(Object(value)).flatMap(([key, part]) => listTexts(part, `${path}.${key}`))
}

const english = new Map(listTexts(en, ''))
/** A sentence of three words. Commands and addresses stay as they are typed. */
const sentence = /[A-Za-z]{2,}[ ,]+[A-Za-z]+[ ,]+[A-Za-z]{2,}/
const command = /reverie( [a-z]+)+/g

test('the Chinese catalogue has no English sentence', () => {
  const texts = listTexts(zh, '').map(
    ([path, text]) => [path, text.replaceAll(command, '')] as const,
  )

  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter(([, text]) => sentence.test(text))).toEqual([])
})

test('a text of several words is translated', () => {
  const same = listTexts(zh, '').filter(
    ([path, text]) => /[a-z] [a-z]/i.test(text) && text === english.get(path),
  )

  expect(same).toEqual([])
})
