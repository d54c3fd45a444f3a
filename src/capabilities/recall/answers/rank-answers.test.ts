import { expect, test } from 'vitest'
import { toConfidenceLevel } from './confidence.ts'
import type { AnswerHit } from './hit.ts'
import { firstOf, hitDefaults, type Row, rankRows } from './rank-answers.fixture.ts'
import { rankAnswers } from './rank-answers.ts'

test('a name of another reading is no missing name', () => {
  const rows = [
    { content: 'The harbour wall is grey', score: 0.8 },
    { content: 'Atlas listens on port nine', score: 0.75 },
  ].map((row) => ({ ...hitDefaults, ...row }))
  const question = { query: 'the port of Skylight', range: undefined, corrections: [] } as const
  const rank = (readings: readonly string[]) =>
    rankAnswers(rows, { ...question, readings, vectorKind: 'static' })
  const [read] = rank(['the port of Atlas'])

  expect(read?.hit.content).toBe('Atlas listens on port nine')
  expect(read?.score).toBe(0.75)
  expect(read?.confidence).toBeGreaterThan(rank([])[0]?.confidence ?? 1)
  const linked = rows.map((row) => ({ ...row, reading: 'the port of Atlas' }))
  const [other] = rankAnswers(linked, { ...question, vectorKind: 'static' })
  expect(other?.hit.content).toBe('Atlas listens on port nine')
})

test.each([
  ['what does QX-1207 mean', 'QX-1270: the door is shut', 'QX-1207: the door is open'],
  ['Was bedeutet QX-1207', 'QX-1270: die Tür ist zu', 'QX-1207: die Tür ist offen'],
])('%s: a text with the identifier stands first', (query, other, right) => {
  expect(
    firstOf(query, [
      { content: other, score: 0.95 },
      { content: right, score: 0.6 },
    ]),
  ).toBe(right)
})

const versions = {
  English: ['The printer stands in room four', 'The printer stands in room nine now'],
  German: ['Der Drucker steht in Zimmer vier', 'Der Drucker steht jetzt in Zimmer neun'],
  Spanish: ['La impresora está en el cuarto cuatro', 'La impresora está ahora en el cuarto nueve'],
  Chinese: ['打印机在四号房间', '打印机现在在九号房间'],
} as const

test.each([
  ['English', 'where is the printer', 'where was the printer before'],
  ['German', 'Wo steht der Drucker?', 'Wo stand der Drucker früher?'],
  ['Spanish', '¿dónde está la impresora?', '¿dónde estaba antes la impresora?'],
  ['Chinese', '打印机现在在哪里', '打印机以前在哪里'],
] as const)(
  '%s: the newest version stands first, and the older one for the past',
  (language, now, past) => {
    const [old, recent] = versions[language]
    const rows = [{ content: old, score: 0.85 }, { content: recent }]

    expect(firstOf(now, rows)).toBe(recent)
    expect(firstOf(past, [{ content: old }, { content: recent, score: 0.85 }])).toBe(old)
    const [, outdated] = rankRows(now, rows)
    expect(outdated).toMatchObject({ hit: { content: old }, outdatedBy: { content: recent } })
    expect(outdated?.stages.map(({ name }) => name)).toContain('subject recency')
  },
)

test('turns, records of events, and other projects have no versions', () => {
  const [old, recent] = versions.English
  const isFirst = (more: Partial<AnswerHit>, content: string = recent) =>
    firstOf('where is the printer', [
      { content: old, score: 0.85 },
      { content, ...more },
    ]) === old

  expect(isFirst({ isTurn: true })).toBe(true)
  expect(isFirst({ project: 'other' })).toBe(true)
  expect(isFirst({ agentId: 'bob' })).toBe(true)
  expect(isFirst({}, `Meeting 3 May: ${recent}`)).toBe(true)
  expect(isFirst({})).toBe(false)
})

test.each([
  [
    'which error is open',
    'Error QX-12 means a full disk',
    'Error QX-13 means a full disk of the log',
  ],
  [
    'what runs on the port',
    'The lab gateway listens on port 4410',
    'The shop gateway listens on port 4411',
  ],
  ['which release works', 'Release 2.4.1 prints labels', 'Release 2.5.0 prints labels now'],
  [
    'what is in the table',
    'rooms/east.csv has the prices of rooms',
    'rooms/west.csv has the new prices of rooms',
  ],
  [
    'Welcher Vorgang ist offen?',
    'Vorgang AB-12: der Drucker druckt nicht',
    'Vorgang AB-13: der Drucker druckt jetzt',
  ],
  [
    'is the crane of the yard replaced',
    'The crane of the yard was replaced in May',
    'The engine of the yard was replaced now',
  ],
  [
    'ist der Kran der Werft ersetzt',
    'Der Kran der Werft wurde im Mai ersetzt',
    'Der Motor der Werft wurde jetzt ersetzt',
  ],
  ['哪个故障', '故障 QX-12 是打印机没有纸', '故障 QX-13 是打印机没有墨'],
])('%s: texts about different things are no versions', (query, one, other) => {
  const rows = rankRows(query, [{ content: one, score: 0.85 }, { content: other }])

  expect(rows[0]?.hit.content).toBe(one)
  expect(rows.map(({ outdatedBy }) => outdatedBy)).toEqual([undefined, undefined])
})

test.each([
  [
    'where does the Heron Cluster run',
    'The Heron Cluster runs in the cellar',
    'The Heron Cluster has six nodes',
  ],
  [
    'where does the Heron Cluster run',
    'The Heron Cluster runs in the cellar',
    'The Heron Cluster was upgraded now',
  ],
  ['¿Dónde vive Marta Rey?', 'Marta Rey vive en Lugo', 'Marta Rey dirige el coro'],
])('%s: two facts about one name are no versions', (query, one, other) => {
  const rows = rankRows(query, [{ content: one, score: 0.85 }, { content: other }])

  expect(rows.map(({ outdatedBy }) => outdatedBy)).toEqual([undefined, undefined])
})

test('a text that shares more than a name with an older one is its new version', () => {
  const [old, recent] = ['The Heron Cluster has six nodes', 'The Heron Cluster has nine nodes now']
  const rows = rankRows('nodes of the Heron Cluster', [
    { content: old, score: 0.85 },
    { content: recent },
  ])

  expect(rows[1]).toMatchObject({ hit: { content: old }, outdatedBy: { content: recent } })
})

test.each([
  ['which port has the gateway', 'The gateway has port 4410', 'The gateway has port 4411 now'],
  [
    'how much is the rent',
    'The rent of the hall is 1200 euros',
    'The rent of the hall is 1350 euros',
  ],
  [
    'Welche Version läuft?',
    'Auf dem Server läuft Version 2.4.1',
    'Auf dem Server läuft jetzt Version 2.5.0',
  ],
])('%s: an identifier may be the new value of a subject', (query, old, recent) => {
  const rows = rankRows(query, [{ content: old, score: 0.85 }, { content: recent }])

  expect(rows[0]?.hit.content).toBe(recent)
  expect(rows[1]?.outdatedBy).toMatchObject({ content: recent })
})

test.each(['what did we paint in March', 'Was haben wir im März gestrichen'])('%s', (query) => {
  const rows = [{ content: 'painted the fence', score: 0.9 }, { content: 'painted the gate' }]
  const [first] = rankRows(query, [...rows, { content: 'painted the shed' }])

  expect(first?.hit.content).toBe('painted the shed')
  expect(first?.stages).toMatchObject([{ name: 'time range' }])
})

test.each([
  ['which services run on the heron', 'The heron runs the backup', 'The heron runs the wiki'],
  ['alles über den Reiher', 'Der Reiher fährt die Sicherung', 'Der Reiher hat ein Wiki'],
])('%s: repeated rows stand behind other ones', (query, repeated, other) => {
  const rows = ['', ' again', ' still'].map((end) => ({
    content: `${repeated} each night at three${end}`,
    createdAt: '2025-01-10T00:00:00.000Z',
    score: 0.9,
  }))
  const [, second, third] = rankRows(query, [
    ...rows,
    { content: other, score: 0.7, createdAt: '2025-01-10T00:00:00.000Z' },
  ])

  expect(second?.hit.content).toBe(other)
  expect(third?.stages.map(({ name }) => name)).toContain('diversity')
})

test('confidence follows the evidence and the lead, and a missing identifier lowers it', () => {
  const strong = { lexical: 1, soft: 1, vector: 0.7, hint: 0 }
  const weak = { lexical: 0.2, soft: 0.2, vector: 0.2, hint: 0 }
  const rest = { content: 'other', score: 0.4, evidence: weak }
  const levelOf = (query: string, row: Partial<AnswerHit>) =>
    toConfidenceLevel(
      rankRows(query, [{ content: 'the oak gate', ...row }, rest])[0]?.confidence ?? 0,
    )

  expect(levelOf('which gate', { evidence: strong })).toBe('high')
  expect(levelOf('which old garden gate', { evidence: weak, score: 0.42 })).toBe('low')
  expect(levelOf('which gate QX-1207', { evidence: { ...weak, lexical: 0.5, soft: 0.5 } })).toBe(
    'low',
  )
  expect(levelOf('which gate', { evidence: { ...strong, vector: undefined } })).toBe('high')
})

test.each(['English', 'German'] as const)(
  '%s: an outdated version has less confidence, except for a question about the past',
  (language) => {
    const [old, recent] = versions[language]
    const rows = [{ content: old }, { content: recent }]
    const confidenceOf = (query: string, content: string, list: readonly Row[]) =>
      rankRows(query, list).find(({ hit }) => hit.content === content)?.confidence ?? 0
    const [now, past] = {
      English: ['where is the printer', 'where was the printer before'],
      German: ['Wo steht der Drucker?', 'Wo stand der Drucker früher?'],
    }[language] as [string, string]

    expect(confidenceOf(now, old, rows)).toBeLessThan(confidenceOf(now, recent, rows) / 2)
    expect(confidenceOf(past, old, rows)).toBeGreaterThan(0.45)
  },
)

test('a memory of superseded claims has less confidence', () => {
  const [{ confidence = 1 } = {}] = rankRows('which gate', [
    { content: 'the oak gate', isSuperseded: true },
  ])
  const [current] = rankRows('which gate', [{ content: 'the oak gate' }])

  expect(confidence).toBeLessThan((current?.confidence ?? 0) * 0.8)
})

const strongHit = { lexical: 0.7, soft: 0.75, vector: 0.8, hint: 0 }

test.each([
  [
    'what is the shoe size of Dora Mayfield',
    'Dora Mayfield is the gardener',
    'The shoe size of Dora Mayfield is 39',
  ],
  [
    'which birthday has Otto Kestrel',
    'Otto Kestrel wants tea',
    'The birthday of Otto Kestrel is in May',
  ],
  [
    '¿qué zapatos lleva Dora Mayfield?',
    'Dora Mayfield es la jardinera',
    'Dora Mayfield lleva zapatos rojos',
  ],
])('%s: an absent attribute of a known person has no high confidence', (query, subject, answer) => {
  const other = { content: 'other', score: 0.2, evidence: { ...strongHit, lexical: 0, soft: 0 } }
  const levelOf = (content: string, more: Partial<AnswerHit['evidence']> = {}) => {
    const row = { content, evidence: { ...strongHit, ...more } }
    return toConfidenceLevel(rankRows(query, [row, other])[0]?.confidence ?? 0)
  }

  expect(levelOf(subject)).toBe('medium')
  expect(levelOf(subject, { lexical: 0.5, soft: 0.5 })).not.toBe('high')
  expect(levelOf(answer)).toBe('high')
})

test.each([
  [
    'on which day is the choir rehearsal now',
    'Choir rehearsal for all voices every Friday at 8:00, in the gym',
    'Because of the caretaker the choir rehearsal is on Tuesdays at 7:30 now',
  ],
  [
    'An welchem Tag ist die Chorprobe jetzt?',
    'Chorprobe für alle Stimmen jeden Freitag um 8:00, in der Turnhalle',
    'Wegen des Hausmeisters ist die Chorprobe jetzt dienstags um 7:30',
  ],
  [
    'what is our watch rota at present',
    'Watch rota: six hours on deck, six hours off',
    'After the storm the rota becomes four hours on and eight off',
  ],
])('%s: a change of what the question names stands first and is believed', (query, old, recent) => {
  const partial = { lexical: 0.35, soft: 0.35, vector: 0.3, hint: 0 }
  const [first, second] = rankRows(query, [
    { content: old, score: 0.9 },
    { content: recent, score: 0.4, evidence: partial },
  ])

  expect(first?.hit.content).toBe(recent)
  expect(second?.outdatedBy?.content).toBe(recent)
  expect(toConfidenceLevel(first?.confidence ?? 0)).not.toBe('low')
})

test('a change of something else outdates nothing', () => {
  const rows = rankRows('which lock has the boat house now', [
    { content: 'The boat house has lock 4410', score: 0.85 },
    { content: 'After the storm the canteen has a new roof', score: 0.4 },
  ])

  expect(rows.map(({ outdatedBy }) => outdatedBy)).toEqual([undefined, undefined])
})
