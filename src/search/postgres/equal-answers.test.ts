import { expect, test } from 'vitest'
import {
  openTestPostgres,
  openTestSqlite,
  startPostgresAhead,
} from '../../kernel/testing/engines.ts'
import { queryFor, vectorQuery } from '../contract/harness.fixture.ts'
import type { createEngineHarness } from '../engine.fixture.ts'
import { openMemoryIndex } from './memory-index.fixture.ts'

startPostgresAhead()

test('answers equal those of a file to the last digit', async () => {
  const places = [
    await openMemoryIndex(await openTestPostgres()),
    await openMemoryIndex(await openTestSqlite()),
  ] as const
  const answers = await Promise.all(
    places.map(async ({ harness }) => {
      await fill(harness)
      const engine = await harness.open()
      const all = []
      for (const text of questions)
        for (const more of [
          {},
          vectorQuery('tiny', 0.6, 0.8, 0.1),
          { asOf: '2025-06-05T00:00:00.000Z' },
        ])
          all.push((await engine.search(queryFor(text, { ...more, explain: true }))).candidates)
      all.push((await engine.similar({ ...queryFor(''), id: 'm3', identity: 'tiny' }))?.candidates)
      return all
    }),
  )

  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.flat().length).toBeGreaterThan(100)
})

const questions = [
  'where is the red lamp of ada',
  'kettle 7',
  '猫在哪里',
  'who repaired the violin?',
  'ladder',
]
const words = ['lamp', 'chair', 'kettle', 'violin', 'ladder', 'mirror', 'carpet', '猫在房间']

async function fill(harness: Awaited<ReturnType<typeof createEngineHarness>>): Promise<void> {
  for (let number = 0; number < 60; number++) {
    const content = `the ${words[number % 8]} and the red ${words[(number >> 1) % 8]} of ada, number ${number}`
    await harness.insert(`m${number}`, content, {
      sessionId: number % 3 === 0 ? null : `s${number % 7}`,
      tags: number % 5 === 0 ? 'Room,Red' : null,
      pinned: number % 11 === 0 ? 1 : 0,
      importance: 0.1 + (number % 9) / 10,
      createdAt: `2025-06-0${1 + (number % 9)}T00:00:00.${String(number).padStart(3, '0')}Z`,
    })
    const angle = number / 7
    await harness.embed(`m${number}`, 'tiny', [
      [Math.cos(angle), Math.sin(angle), 0],
      [0, Math.cos(angle), Math.sin(angle)],
    ])
    if (number % 4 === 0)
      await harness.hint(`m${number}`, 'ada', `where ${words[number % 8]} stands`)
    if (number % 6 === 0) await harness.addValidity(`m${number}`, '2025-06-02T00:00:00.000Z')
  }
  await harness.change('m5', { supersededBy: 'm6', supersededAt: '2025-06-06T00:00:00.000Z' })
  await harness.change('m8', { content: 'the ladder was replaced' })
  await harness.purge('m9')
}
