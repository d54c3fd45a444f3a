import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

interface Explain {
  readonly confidence: readonly { readonly value: number; readonly weight: number }[]
}

const service = await startService()
afterAll(() => service.stop())

const answerTypeFeature = expect.objectContaining({ name: 'answer type', value: 1 })
const save = async (content: string, createdAt: string) =>
  (await service.ask('POST /api/memory/remember', { body: { content, createdAt } })).body['id']
const recall = async (query: string, more: object = {}) => {
  const { body } = await service.ask('POST /api/memory/recall', { body: { query, ...more } })
  const { results, meta } = body as {
    readonly results: readonly Readonly<Record<string, unknown>>[]
    readonly meta: Readonly<Record<string, unknown>>
  }
  return { results, meta, first: results[0] }
}

const old = await save('The workshop printer stands in the cellar', '2025-02-03T08:00:00Z')
const recent = await save('The workshop printer now stands in the attic', '2025-06-03T08:00:00Z')
const oldOven = await save('Der Ofen steht in der Küche neben dem Fenster', '2025-02-04T08:00:00Z')
const oven = await save('Der Ofen steht jetzt in der Küche neben der Tür', '2025-06-04T08:00:00Z')
const valve = await save('QX-1207: the valve of the cistern leaks', '2025-03-05T08:00:00Z')
const gutter = await save('Cleaned the gutter with Dora', '2025-09-09T08:00:00Z')
await save('Die Zisterne ist leer', '2025-03-07T08:00:00Z')
await save('Cleaned the gutter alone', '2025-04-09T08:00:00Z')

test('the newest version answers, and an older one answers for the past', async () => {
  const now = await recall('where is the workshop printer', { explain: true })
  expect(now.first).toMatchObject({ id: recent, confidence: expect.any(Number) })
  expect(now.results).toContainEqual(expect.objectContaining({ id: old, outdated_by: recent }))
  expect((await recall('where was the workshop printer before')).first).toMatchObject({ id: old })
  expect((await recall('Wo steht der Ofen in der Küche?')).first).toMatchObject({ id: oven })
  expect((await recall('Wo stand der Ofen in der Küche früher?')).first).toMatchObject({
    id: oldOven,
  })
})

test('an unknown identifier or topic is not answered with confidence', async () => {
  expect((await recall('what is QX-1207')).first).toMatchObject({ id: valve })
  for (const query of ['what is QX-1270', 'which lawyer drafted our marriage certificate'])
    expect((await recall(query)).meta).toMatchObject({ confidence: 'low' })
  expect((await recall('QX-1207 valve cistern')).meta).toMatchObject({ confidence: 'high' })
})

test.each([
  ['what does the skylight cost', 'The skylight is cleaned by Kessler each March'],
  ['was kostet das Dachfenster', 'Das Dachfenster putzt Kessler jeden März'],
])('%s: a memory without a price is a weak match', async (query, content) => {
  const id = await save(content, '2025-05-03T08:00:00Z')
  const { first, meta } = await recall(query, { explain: true })

  expect(first).toMatchObject({ id })
  expect(meta).toMatchObject({ confidence: 'low' })
  const explained = { confidence: expect.arrayContaining([answerTypeFeature]) }
  expect(first).toMatchObject({ explain: explained })
})

test.each([
  [
    'who winds the tower clock',
    'The tower clock is wound by Larkin on Sundays',
    'Larkin closed in spring. Ostrava Service comes instead',
  ],
  [
    '¿quién barre la azotea?',
    'La azotea la barre Ramona los lunes',
    'Ramona se va a Lugo. Viene Teresa',
  ],
  [
    'when does the dinghy course of the yacht school begin',
    'The dinghy course of the yacht school begins on Tuesdays, bring boots',
    'Yacht school, dinghy course: Fridays, and bring boots',
  ],
  [
    'was kostet das Ruderboot am Steg',
    'Das Ruderboot am Steg kostet 12 Euro die Stunde',
    'Ruderboot am Steg: 15 Euro die Stunde',
  ],
  [
    'what does code Z-31 of the winch mean',
    'Code Z-31 of the winch means an open hatch',
    'Correction about Z-31: the winch shows it for a jammed rope, the hatch is innocent',
  ],
])('%s: what became of the answer stands before it', async (query, earlier, later) => {
  const id = await save(earlier, '2025-02-08T08:00:00Z')
  const end = await save(later, '2025-07-08T08:00:00Z')
  const { first, results } = await recall(query)

  expect(first).toMatchObject({ id: end })
  expect(results).toContainEqual(expect.objectContaining({ id, outdated_by: end }))
})

test.each([
  [
    'how did we get the tides before the webhook',
    'Tides are fetched from the harbour office every night',
    'The harbour office pushes tides by webhook, the job is gone',
  ],
  [
    'wer hatte die Pegel vor dem Umbau',
    'Die Pegel liest Dora jede Nacht ab',
    'Seit dem Umbau kommen die Pegel von selbst',
  ],
])('%s: the earlier state answers', async (query, earlier, later) => {
  const id = await save(earlier, '2025-02-07T08:00:00Z')
  await save(later, '2025-07-07T08:00:00Z')

  expect((await recall(query)).first).toMatchObject({ id })
})

test('minConfidence drops uncertain rows', async () => {
  const all = await recall('workshop printer')
  const minConfidence = Number(all.first?.['confidence'])
  const some = await recall('workshop printer', { minConfidence })

  expect(all.results.length).toBeGreaterThan(1)
  expect(some.results).toEqual([expect.objectContaining({ id: recent })])
})

test.each(['minConfidence', 'min_confidence'])('%s outside 0 to 1 is refused', async (name) => {
  const query = `/api/memory/search?q=printer&${name}=-0.1`
  const body = { query: 'workshop printer', [name]: 1.5 }
  for (const reply of [
    await service.ask(`GET ${query}`),
    await service.ask('POST /api/memory/recall', { body }),
  ]) {
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({ error: `${name} must be from 0 to 1` })
  }
})

test.each([
  ['which services run on the heron server?', 'The heron server runs the service', 'wiki'],
  ['Welche Dienste laufen auf dem Reiher?', 'Auf dem Reiher läuft der Dienst', 'Kalender'],
])('%s has different rows first', async (query, start, other) => {
  const repeated = `${start} backup each night at three in the dark`
  for (const end of ['', ' again', ' as ever', ' once more'])
    await save(`${repeated}${end}`, '2025-03-08T08:00:00Z')
  const single = await save(`${start} ${other}`, '2025-03-08T08:00:00Z')

  const { results } = await recall(query, { explain: true })
  expect(results.slice(0, 2).map(({ id }) => id)).toContain(single)
  expect(JSON.stringify(results.map(({ explain }) => explain))).toContain('"diversity"')
})

test('two misspelt words find the only note that has both', async () => {
  const db = await save('The staging database runs on the small server', '2025-03-06T08:00:00Z')
  expect((await recall('stagng databse')).first).toMatchObject({ id: db })
})

test.each(['the cisterm leaks', 'valve of the cistren'])(
  '%s is found despite its spelling',
  async (query) => {
    expect((await recall(query)).first).toMatchObject({ id: valve })
  },
)

test.each([
  ['the cisterm in March 2025', 'cisterm', 'cistern', []],
  [
    'Wo steht der Oven? Im März 2025 in der Kuche bei der Zistrne',
    'zistrne',
    'zisterne',
    [
      { term: 'steht', replacements: ['stands'] },
      { term: 'oven', replacements: ['ofen'] },
    ],
  ],
])('explain names what was read from: %s', async (query, term, replacement, translations) => {
  const timeZone = 'UTC'
  const { meta, first } = await recall(query, { explain: true, timeZone })

  expect(meta['explain']).toEqual({
    corrections: [{ term, replacements: [replacement] }],
    translations,
    timeRange: { start: '2025-03-01T00:00:00.000Z', end: '2025-04-01T00:00:00.000Z' },
  })
  const explain = first?.['explain'] as Explain | undefined
  const sum = (explain?.confidence ?? []).reduce(
    (sum, { value, weight }) => sum + value * weight,
    0,
  )
  expect(first?.['confidence']).toBeCloseTo(1 / (1 + Math.exp(-sum)), 2)
  expect((await recall(query)).meta).not.toHaveProperty('explain')
})

test('a time phrase refers to the reference time and the time zone', async () => {
  const at = { referenceTime: '2025-09-10T12:00:00Z' }
  for (const query of ['who cleaned the gutter yesterday', 'Wer hat gestern den gutter geputzt'])
    expect((await recall(query, at)).first).toMatchObject({ id: gutter })
  const { status, body } = await service.ask('POST /api/memory/recall', {
    body: { query: 'gutter', timeZone: 'Mars/Base' },
  })
  expect([status, body['error']]).toEqual([400, 'timeZone must be an IANA time zone'])
})

test.each(['昨天发生了什么', '上周二发生了什么'])(
  '%s returns what is from that time',
  async (query) => {
    const id = await save('Kessler painted the fence', '2025-10-07T08:00:00Z')
    const referenceTime = query.startsWith('昨天') ? '2025-10-08T12:00:00Z' : '2025-10-15T12:00:00Z'

    expect((await recall(query, { referenceTime })).first).toMatchObject({ id })
  },
)

test('a question in another language finds the note', async () => {
  const bicycle = await save('Das Fahrrad hat einen neuen Sattel', '2025-03-01T08:00:00Z')
  const umbrella = await save('雨伞在图书馆', '2025-03-02T08:00:00Z')
  const passport = await save('The passport expires in 2031', '2025-03-03T08:00:00Z')

  expect((await recall('what is new on the bicycle')).first).toMatchObject({ id: bicycle })
  expect((await recall('is the umbrella in the library')).first).toMatchObject({ id: umbrella })
  expect((await recall('Wann läuft der Reisepass ab?')).first).toMatchObject({ id: passport })
  expect((await recall('护照什么时候到期')).first).toMatchObject({ id: passport })
  const { meta } = await recall('where is the bicycle', { explain: true })
  expect(meta['explain']).toMatchObject({
    translations: expect.arrayContaining([{ term: 'bicycle', replacements: ['fahrrad'] }]),
  })
})

test('the first of three versions answers a question about the beginning', async () => {
  const first = await save('The tram ticket costs 2 euro', '2025-01-05T08:00:00Z')
  await save('The tram ticket now costs 3 euro', '2025-04-05T08:00:00Z')
  const last = await save('The tram ticket now costs 4 euro', '2025-08-05T08:00:00Z')

  expect((await recall('what did the tram ticket cost originally')).first).toMatchObject({
    id: first,
  })
  expect((await recall('what does the tram ticket cost')).first).toMatchObject({ id: last })
})

test('a question that names only a time is answered from that time', async () => {
  for (const query of ['what happened last week', 'Was ist letzte Woche passiert?']) {
    const { first, meta } = await recall(query, { referenceTime: '2025-09-17T08:00:00Z' })
    expect(first).toMatchObject({ id: gutter })
    expect(meta['confidence']).not.toBe('low')
  }
})

test.each([
  [
    'at what time does Wiebke fetch the milk?',
    'Wiebke fetches the milk at 6:40',
    'New lorry: Wiebke has to be at the dairy by 6:15',
  ],
  [
    'Um wie viel Uhr holt Hinnerk die Eier?',
    'Hinnerk holt die Eier um 7:40',
    'Neuer Stall: Hinnerk muss um 7:10 bei den Hühnern sein',
  ],
])('%s: the nearest newer text that announces a change answers', async (query, older, newer) => {
  const before = await save(older, '2025-04-03T08:00:00Z')
  const after = await save(newer, '2025-07-03T08:00:00Z')

  const { first, results } = await recall(query, { explain: true })

  expect(first).toMatchObject({ id: after })
  expect(results).toContainEqual(expect.objectContaining({ id: before, outdated_by: after }))
})

test.each(['what happened last Friday?', 'Was passierte letzten Freitag?'])(
  '%s: everything from that day answers',
  async (query) => {
    const id = await save('Repaired the sluice with Osric', '2025-11-14T08:00:00Z')
    await save('Ordered gravel', '2025-11-12T08:00:00Z')

    const { results } = await recall(query, { referenceTime: '2025-11-18T10:00:00Z' })

    expect(results.map((row) => row['id'])).toContain(id)
    expect(results[0]).toMatchObject({ id })
  },
)
