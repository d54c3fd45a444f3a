import { expect, test } from 'vitest'
import { createPostings } from './postings/postings.ts'
import { listRelated } from './related.ts'

function fill(texts: readonly string[]) {
  const postings = createPostings()
  for (const [slot, text] of texts.entries()) postings.add(slot, text.split(' '))
  return postings
}

const texts = [
  'lift repaired larkin',
  'larkin closed spring',
  'lamp shines',
  ...Array.from({ length: 40 }, (_, at) => `lift noise${at}`),
]
const all = new Uint8Array(texts.length).fill(1)

test('notes that share a rare term with the best note are related to it', () => {
  expect(listRelated(fill(texts), 0, { mask: all }).toSorted()).toEqual([0, 1])
})

test('notes that the reader may not see are not related', () => {
  const mask = Uint8Array.from(all)
  mask[1] = 0

  expect(listRelated(fill(texts), 0, { mask })).toEqual([0])
})

test('a long note, one without rare terms, and no note have no related ones', () => {
  const long = Array.from({ length: 50 }, (_, at) => `word${at}`).join(' ')
  const postings = fill([...texts, `larkin ${long}`])

  for (const best of [texts.length, 2, undefined])
    expect(listRelated(postings, best, { mask: new Uint8Array(99).fill(1) })).toEqual([])
})
