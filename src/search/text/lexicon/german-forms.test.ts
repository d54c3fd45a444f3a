import { expect, test } from 'vitest'
import { listGermanBases, listGermanForms } from './german-forms.ts'

test.each([
  ['schrauben', 'schraub'],
  ['kauft', 'kaufen'],
  ['kaufte', 'kaufen'],
  ['liefert', 'liefern'],
  ['gesammelt', 'sammeln'],
  ['arbeitete', 'arbeiten'],
  ['abgeholt', 'abholen'],
  ['gestaltet', 'gestalten'],
])('%s may be a form of %s', (word, base) => {
  expect(listGermanBases(word)).toContain(base)
})

test.each([
  ['schraube', ['schrauben']],
  ['regel', ['regeln']],
  ['zahlung', ['zahlungen']],
  ['kaufen', ['kauft', 'gekauft']],
  ['liefern', ['liefert', 'geliefert']],
  ['reden', ['redet', 'geredet']],
])('%s has the forms %j', (word, forms) => {
  expect(listGermanForms(word)).toEqual(forms)
})

test.each(['', 'a', 'tor', '𠮷'])('%j has no base form', (word) => {
  expect(listGermanBases(word)).toEqual([])
})
