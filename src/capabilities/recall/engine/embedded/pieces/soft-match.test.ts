import { expect, test } from 'vitest'
import { createStaticModel, readStaticModel } from '../../../../embeddings/index.ts'
import { alike, createPieceLikeness } from './piece-likeness.ts'
import { createPieceLists } from './piece-lists.ts'
import { loadPieces } from './pieces.ts'
import { createSoftMatch } from './soft-match.ts'

const pieces = await loadPieces()

test('a table holds the squared cosines that the model gives, of what is held', async () => {
  const model = createStaticModel(await readStaticModel())
  const held = model.tokenise('cat car linker purple the 7 ##ing')
  const [kitten = 0] = model.tokenise('kitten')

  const [table] = createPieceLikeness(model).compare([kitten], held)

  for (const piece of held) {
    const cosine = Math.max(0, model.likeness(kitten, piece))
    expect(Math.abs((table?.[piece] ?? 0) - alike * cosine ** 2)).toBeLessThan(1.5)
  }
  expect(table?.[kitten]).toBe(alike)
  expect(table?.filter((likeness) => likeness > 0).length).toBeLessThanOrEqual(held.length + 1)
})

test('words of nearly the same meaning count more than others, and the same words most', () => {
  const texts = ['the kitten sleeps', 'a cat rests', 'the linker ran out of memory', '']
  const lists = createPieceLists()
  for (const [slot, text] of texts.entries()) lists.put(slot, pieces.read(text))

  const { coverage } = createSoftMatch(lists, pieces.likeness, {
    asked: pieces.read('kitten'),
    slots: [0, 1, 2, 3],
  })

  const [same = 0, like = 0, other = 0, none = 0] = texts.map((_, slot) => coverage(slot))
  expect(same).toBeCloseTo(1)
  expect(like).toBeGreaterThan(2 * other)
  expect(none).toBe(0)
})

test('a longer text with the same matches counts less', () => {
  const lists = createPieceLists()
  lists.put(0, pieces.read('a kitten'))
  lists.put(1, pieces.read('a kitten and many other words that do not mean anything like it'))

  const { normalised } = createSoftMatch(lists, pieces.likeness, {
    asked: pieces.read('kitten'),
    slots: [0, 1, 2, 3],
  })

  expect(normalised(0)).toBeGreaterThan(normalised(1))
})

test('a script that the model has not learned has no pieces', () => {
  const lists = createPieceLists()
  lists.put(0, pieces.read('แมว'))

  expect(
    createSoftMatch(lists, pieces.likeness, { asked: pieces.read('แมว'), slots: [0] }).coverage(0),
  ).toBe(0)
})
