import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTerms, stem } from './terms.ts'

test.each([
  ['a question', 'Which pet does Maria have?', ['pet', 'maria']],
  ['accents and case', 'Zoë ÀÉÎ Straße', ['zoe', 'aei', 'straße']],
  ['sigma at the end of a word', 'ΛΌΓΟΣ λόγος', ['λογοσ', 'λογοσ']],
  ['apostrophes', "Maria's cat doesn’t like O'Brien", ['maria', 'cat', 'like', 'brien']],
  ['paths and versions', 'src/kernel_db v1.2', ['src', 'kernel', 'db', 'v1', '2']],
  ['Chinese', '我喜欢猫', ['我', '喜', '欢', '猫', '我喜', '喜欢', '欢猫']],
  ['one character', '猫', ['猫']],
  ['scripts side by side', 'use猫咪now 3台', ['use', '猫', '咪', '猫咪', '3', '台']],
  ['Thai', 'แมว', ['แ', 'ม', 'ว', 'แม', 'มว']],
  ['marks that are letters', 'हिन्दी', ['हिन्दी']],
  ['nothing', ' ?! 🜁 ', []],
])('%s', (_, text, terms) => {
  expect(readTerms(text)).toEqual(terms.map((term) => stem(term)))
})

test.each([
  ['cats', 'cat'],
  ['boxes', 'box'],
  ['studies', 'study'],
  ['studied', 'study'],
  ['running', 'run'],
  ['falling', 'fall'],
  ['stopped', 'stop'],
  ['moved', 'mov'],
  ['move', 'mov'],
  ['moving', 'mov'],
  ['bus', 'bus'],
  ['class', 'class'],
  ['this', 'this'],
  ['analysis', 'analysis'],
  ['string', 'string'],
  ['naïve', 'naïve'],
])('%s is found as %s', (word, stemmed) => {
  expect(stem(word)).toBe(stemmed)
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' })

test('terms are never empty or too long', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const term of readTerms(text)) {
        expect(term.length).toBeGreaterThan(0)
        expect(term.length).toBeLessThanOrEqual(64)
      }
    }),
  )
})

test('a text gives the same terms in any case', () => {
  // Lower-casing an upper-cased letter may give another letter: ß becomes SS.
  const letters = [...'aeiouybcdkmnstzéüñçøåжщидёαβγδωλաբგ0 .'].join('')
  const cased = fc.oneof(
    anyText.map((text) => Array.from(text).filter(isItselfAgain).join('')),
    fc.string({ unit: fc.constantFrom(...letters), maxLength: 80, size: 'max' }),
  )
  let compared = 0
  fc.assert(
    fc.property(cased, (text) => {
      const terms = readTerms(text)
      expect(readTerms(text.toUpperCase())).toEqual(terms)
      expect(readTerms(text.toLowerCase())).toEqual(terms)
      compared += terms.length > 0 && text.toUpperCase() !== text.toLowerCase() ? 1 : 0
    }),
  )
  expect(compared).toBeGreaterThan(20)
})

function isItselfAgain(character: string): boolean {
  return character.toUpperCase().toLowerCase() === character.toLowerCase()
}

test('terms of two texts are those of both with a space between', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abÉs 猫ก1é'), maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(readTerms(`${one} ${other}`)).toEqual([...readTerms(one), ...readTerms(other)])
    }),
  )
})
