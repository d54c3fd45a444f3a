import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Facts } from '../../feed.ts'
import { appendFacts, createColumns } from './columns.ts'
import { createSpeakers } from './speakers.ts'

const names = ['Bob 1', 'Bob 2', 'Maria', 'María Bob', 'user', 'Maria 2', 'Dr. Who']
const said = fc.record({ who: fc.constantFrom(...names), isRead: fc.boolean() })
const question = fc
  .array(fc.constantFrom('bob', 'Maria', '1', '22', 'user', 'who', 'said', 'dr'), { maxLength: 6 })
  .map((words) => words.join(' '))

test('speakers with a readable message are found by each word of their name', () => {
  let named = 0
  fc.assert(
    fc.property(fc.array(said), fc.array(said), question, (rows, later, question) => {
      const columns = createColumns()
      const speakers = createSpeakers(columns)
      for (const all of [rows, [...rows, ...later]]) {
        for (const { who } of all.slice(columns.flags.length)) appendFacts(columns, toFacts(who))
        const mask = Uint8Array.from(all, ({ isRead }) => (isRead ? 1 : 0))

        const found = speakers.findNamed(question, mask)

        const whos = [...found.codes].map((code) => columns.dictionaries.who.words[code])
        expect({ whos: whos.toSorted(), words: [...found.words].toSorted() }).toEqual(
          findPlainly(question, all),
        )
        named += whos.length
      }
    }),
  )
  expect(named).toBeGreaterThan(20)
})

/** The expected speakers, name by name. */
function findPlainly(question: string, rows: readonly { who: string; isRead: boolean }[]) {
  const questionWords = question.toLowerCase().split(' ')
  const wordsOf = (who: string) =>
    who === 'user' ? [] : who.toLowerCase().replace('í', 'i').replace('.', '').split(' ')
  const isSaid = (word: string, who: string) => word.length > 1 && wordsOf(who).includes(word)
  const read = new Set(rows.filter(({ isRead }) => isRead).map(({ who }) => who))
  const whos = [...read].filter((who) => questionWords.some((word) => isSaid(word, who)))
  const words = questionWords.filter((word) => whos.some((who) => isSaid(word, who)))
  return { whos: whos.toSorted(), words: [...new Set(words)].toSorted() }
}

function toFacts(who: string): Facts {
  return {
    agent: 'ada',
    visibility: 'global',
    scope: null,
    project: null,
    session: null,
    who,
    type: 'fact',
    sourceType: 'manual',
    tags: null,
    pinned: false,
    deleted: false,
    traits: 0,
    words: 0,
    importance: 0.8,
    createdAt: 1,
    contentHash: '',
    validity: null,
    supersededAt: Number.POSITIVE_INFINITY,
  }
}
