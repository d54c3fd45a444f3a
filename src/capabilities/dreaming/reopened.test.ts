import { expect } from 'vitest'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import { chooseMentions } from './rules/choose-mentions.ts'
import { decideOperations } from './rules/decide.ts'
import { maxReopened } from './rules/open.ts'
import { readQuote } from './rules/read-quote.ts'
import { readStatements } from './rules/read-statements.ts'
import type { RulesThread } from './rules-port.ts'
import { readStatus } from './status.ts'

/** The rules of the service, without their thread. */
const rules: RulesThread = {
  readStatements: async (task) => readStatements(task),
  decideOperations: async (task) => decideOperations(task),
  findNearDuplicates: async () => [],
  readQuotes: async (quotes) => quotes.map(readQuote),
  chooseMentions: async (task) => chooseMentions(task),
  close: async () => {},
}

const who = 'Ada Moreau'
const timeOf = (minute: number) => new Date(Date.UTC(2025, 2, 1, 9, minute)).toISOString()
const letterOf = (number: number) => String.fromCharCode(97 + number)
const toolOf = (number: number) =>
  `Plu${letterOf(number % 26)}${letterOf(Math.floor(number / 26))}o`

onEachEngine('the next pass goes on with the sources beyond the limit of one', async (db) => {
  const { remember, dream, values, needs } = dreamingKit(db, {}, { rules })
  const count = maxReopened + 20
  for (let number = 0; number < count; number++)
    await remember(`${toolOf(number)} got wiped off my laptop.`, {
      who,
      createdAt: timeOf(number + 1),
    })
  await dream()
  const last = toolOf(count - 1)
  await remember(`I use ${last}.`, { who, createdAt: timeOf(0) })
  await dream()
  expect(await values(who, 'uses')).toEqual([last])
  expect((await readStatus(needs, 'ada')).backlog.sources).toBe(20)
  await dream()

  expect(await values(who, 'uses')).toEqual([])
  expect((await readStatus(needs, 'ada')).backlog.sources).toBe(0)
  expect((await dream()).pass.summary).toBe('Nothing new to read.')
})
