import { expect, test } from 'vitest'
import { decideOperations } from './decide.ts'
import { readStatements } from './read-statements.ts'
import { names, toFragment } from './rules.fixture.ts'

/** What the second sentence changes, when the first has been read. */
function change(first: string, second: string): string[] {
  const fragments = [first, second].map((text, at) =>
    toFragment(text, { sourceId: `memory-${at}`, assertedAt: `2025-03-0${at + 1}T10:00:00.000Z` }),
  )
  const { statements } = readStatements({ fragments, names, user: '' })
  const { operations } = decideOperations({ statements, facts: [], claims: [], refusals: [] })
  return operations
    .filter(({ evidence }) => evidence.some(({ sourceId }) => sourceId === 'memory-1'))
    .map(({ operation, payload }) => {
      const value = payload['value'] ?? payload['old_value']
      return `${operation.split('_')[0]} ${payload['claim_key']} ${value}`
    })
}

test.each([
  ['Ferry runs on AWS.', 'The logs of Ferry moved from AWS to GCP.', ['set logs GCP']],
  [
    'Ferry uses MySQL.',
    'The database of Ferry moved from MySQL to Riak.',
    ['set database Riak', 'supersede uses MySQL'],
  ],
  ['I use Vim.', 'My editor changed from Vim to Kate.', ['set editor Kate', 'supersede uses Vim']],
  ['I am a gardener by profession.', "I'm at the dentist in Lugo now.", []],
  ['I am a gardener by profession.', "I'm in a meeting with the director now.", []],
  ['I am a gardener by profession.', "I'm head of design now.", ['set role head of design']],
  ['I work at Northwind.', 'I joined Ferry as a tester.', []],
  ['I work at Northwind.', 'I joined Osprey Films as a tester.', ['set works_at Osprey Films']],
  ['Ferry belongs to Olu Adeyemi.', 'Jonas Petersen steps in for Olu this week on Ferry.', []],
  ['Ferry belongs to Olu Adeyemi.', 'Jonas Petersen takes over Ferry while Olu is away.', []],
  [
    'Ferry belongs to Olu Adeyemi.',
    'Jonas Petersen took over Ferry from Olu this week.',
    ['set owner Jonas Petersen'],
  ],
  [
    'Ferry belongs to Olu Adeyemi.',
    'Jonas Petersen steps in as owner of Ferry.',
    ['set owner Jonas Petersen'],
  ],
  ['Ferry gehört Olu Adeyemi.', 'Jonas Petersen springt diese Woche bei Ferry für Olu ein.', []],
  ['Ferry gehört Olu Adeyemi.', 'Jonas Petersen übernimmt Ferry, solange Olu krank ist.', []],
  ['Ferry gehört Olu Adeyemi.', 'Jonas Petersen übernimmt Ferry.', ['set owner Jonas Petersen']],
  [
    'I work at Northwind.',
    'I moved from Northwind to Osprey Films.',
    ['set works_at Osprey Films'],
  ],
  ['I live in Ferrol.', 'I moved from Ferrol to Lugo.', ['set lives_in Lugo']],
  ['My editor is Kate.', 'I use Geany now.', ['set editor Geany']],
  ['My editor is Kate.', 'I use Geany.', ['add uses Geany']],
  ['I use Trello.', "I don't use Trello on my phone anymore.", []],
  ['I use Trello.', 'I no longer use Trello at work.', []],
  ['I use Trello.', "I don't use Trello anymore.", ['supersede uses Trello']],
  ['I use Trello.', 'I no longer use Trello in the summer.', ['supersede uses Trello']],
  ['Ich nutze Trello.', 'Ich nutze Trello nicht mehr auf dem Handy.', []],
  ['Ich nutze Trello.', 'Ich nutze Trello nicht mehr.', ['supersede uses Trello']],
  ['I work at Northwind.', 'I left Northwind at 6.', []],
  ['I work at Northwind.', 'I left Northwind around 18:30.', []],
  ['I work at Northwind.', 'I left Northwind in March.', ['supersede works_at Northwind']],
  ['I use Kafka.', 'Kafka is gone from the list of alerts.', []],
  ['I use Kafka.', 'Kafka is gone from my stack.', ['supersede uses Kafka']],
  ['I use Trello.', 'I removed Trello from my bookmarks.', []],
  ['I use Trello.', 'I deleted two cards in Trello.', []],
  ['I use Trello.', 'I deleted cards from Trello.', []],
  ['I use Trello.', 'I deleted Trello.', ['supersede uses Trello']],
  ['Ich nutze Trello.', 'Ich habe in Trello drei Karten gelöscht.', []],
  ['Ich nutze Trello.', 'Ich habe bei Trello ein Board gelöscht.', []],
  ['Ich nutze Trello.', 'Trello ist aus der Liste verschwunden.', []],
  ['Ich nutze Trello.', 'Ich habe Trello gelöscht.', ['supersede uses Trello']],
  ['我用Trello。', '我在Trello里删了三张卡片。', []],
  ['我用Trello。', '我把Trello删了。', ['supersede uses Trello']],
  ['I work at Northwind.', 'I left the party early and went to Osprey Films.', []],
  ['I work at Northwind.', 'I left the office and went to Marlow Bakery.', []],
  [
    'I work at Northwind.',
    'I left Northwind and went to Osprey Films.',
    ['set works_at Osprey Films'],
  ],
  [
    'I work at Northwind.',
    'I left my job and went to Osprey Films.',
    ['set works_at Osprey Films'],
  ],
  ['Ich arbeite bei Northwind.', 'Ich habe die Party verlassen und bin zu Osprey gegangen.', []],
  [
    'Ich arbeite bei Northwind.',
    'Ich habe Northwind verlassen und bin zu Osprey gegangen.',
    ['set works_at Osprey'],
  ],
  ['我在远山公司工作。', '我早早离开聚会去了海月公司。', []],
  ['我在远山公司工作。', '我离开远山公司去了海月公司。', ['set works_at 海月公司']],
  ['Ferry belongs to Olu Adeyemi.', 'I have Slack open all day for Ferry.', []],
  ['Ferry belongs to Olu Adeyemi.', 'I have Slack open all day.', ['add uses Slack']],
  ['Ferry is due on 2 May.', 'We agreed on 9 May as the deadline for the Ferry slides.', []],
  [
    'Ferry is due on 2 May.',
    'We agreed on 9 May as the deadline for Ferry.',
    ['set deadline 9 May'],
  ],
  [
    'Ferry is due on 2 May.',
    'We agreed on weekly releases for Ferry.',
    ['add decision weekly releases'],
  ],
  ['Die Frist für Ferry ist der 2. Mai.', 'Die Frist für die Ferry-Folien ist der 9. Mai.', []],
  [
    'Die Frist für Ferry ist der 2. Mai.',
    'Die Frist für Ferry ist jetzt der 9. Mai.',
    ['set deadline der 9. Mai'],
  ],
  ['Ferry的截止日期是5月2日。', 'Ferry演示文稿的截止日期是5月9日。', []],
  ['Ferry的截止日期是5月2日。', 'Ferry的截止日期现在是5月9日。', ['set deadline 5月9日']],
])('%j, then %j', (first, second, expected) => {
  expect(change(first, second)).toEqual(expected)
})
