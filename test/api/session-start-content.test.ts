import { beforeAll, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startSharedService } from '../support/shared-service.ts'

const agentId = 'gardener'
const [project, otherProject] = ['/srv/botanic-garden', '/srv/quarry']
const service = await startSharedService(agentId)
const { hook, newKey } = hooksOf(service, { agentId, project })

async function remember(content: string, more: object = {}): Promise<void> {
  const body = { content, project, ...more }
  const { status } = await service.ask('POST /api/memory/remember', { body })
  expect(status).toBeLessThan(300)
}

/** The memories and the text of a new session. */
async function start(more: object = {}) {
  const { body } = await hook('session-start', { sessionKey: newKey(), ...more })
  const memories = body['memories'] as { readonly content: string }[]
  return { contents: memories.map(({ content }) => content), inject: String(body['inject']) }
}

const createdAt = '2025-03-01T08:00:00.000Z'
const notes = {
  related: 'The fern house is heated with wood chips from October on.',
  german: 'Im Farnhaus hängt der Schlüssel hinter der Tür.',
  decision: 'Labels are printed on zinc, not on plastic.',
  pinned: 'The pond may never be drained.',
  global: 'Dates are written as in ISO 8601.',
}

beforeAll(async () => {
  await remember(notes.related, { createdAt })
  await remember(notes.german, { createdAt })
  await remember(notes.decision, { createdAt, type: 'decision' })
  await remember(notes.pinned, { createdAt, pinned: true })
  await remember(notes.global, { createdAt, type: 'preference', project: null })
  await remember('The fern fossils of the quarry are in box 9.', { project: otherProject })
  for (let number = 0; number < 300; number++)
    await remember(`Visitor count of day ${number}: ${(number * 37) % 101} adults`)
})

test.each([
  ['How warm is the fern house?', notes.related],
  ['Wo hängt der Schlüssel vom Farnhaus?', notes.german],
])('%s: of 300 notes a start shows those of the last task', async (userMessage, expected) => {
  const sessionKey = newKey()
  await hook('user-prompt-submit', { sessionKey, userMessage })
  await hook('session-end', { sessionKey })

  const { contents, inject } = await start()

  for (const content of [expected, notes.decision, notes.pinned, notes.global])
    expect(contents).toContain(content)
  expect(inject).not.toContain('quarry')
  expect(contents.join('').length).toBeLessThanOrEqual(2000)
  expect(contents.filter((content) => content.startsWith('Visitor')).length).toBeGreaterThan(0)
})

test.each([
  {
    fact: 'The palm house closes at six in winter.',
    again: 'The palm house closes at six in winter',
    pattern: /palm house/gu,
  },
  {
    fact: 'Das Palmenhaus schließt im Winter um sechs.',
    again: 'Im Winter schließt das Palmenhaus um sechs',
    pattern: /Palmenhaus/gu,
  },
])('$fact: a fact is in the start once', async ({ fact, again, pattern }) => {
  const sessionKey = newKey()
  await remember(fact)
  await remember(again)
  await hook('compaction-complete', { sessionKey, summary: `${fact} We watered the cacti.` })

  const { inject } = await start()

  expect(inject.match(pattern)).toHaveLength(1)
  expect(inject).not.toMatch(/node=|session=|--compaction/)
})

test.each(['Prune the roses at the gate', 'Schneide die Rosen am Tor'])(
  '%s: only a session that broke off is recovered, in the past tense',
  async (userMessage) => {
    const [sessionKey, about] = [newKey(), { project: `/srv/${userMessage.slice(0, 8)}` }]
    await hook('user-prompt-submit', { ...about, sessionKey, userMessage })
    await hook('pre-compaction', { ...about, sessionKey })

    const broken = await start(about)
    expect(broken.inject).toMatch(new RegExp(`- The user \\w+: ${userMessage}`))
    expect((await start()).inject).not.toContain(userMessage)

    await hook('session-end', { ...about, sessionKey })
    expect((await start(about)).inject).not.toContain('Recovery')
  },
)

test('instructions of a compaction name the memories of their session only', async () => {
  const [own, other] = [newKey(), newKey()]
  await hook('remember', { sessionKey: own, content: 'The orchid needs rain water' })
  await hook('remember', { sessionKey: other, content: 'The lotus needs warm water' })

  const { body } = await hook('pre-compaction', { sessionKey: own })

  expect(body['instructions']).toContain('orchid needs rain water')
  expect(body['instructions']).not.toContain('lotus')
})

test('a prompt gets nothing that only recall finds', async () => {
  const { body } = await hook('user-prompt-submit', {
    sessionKey: newKey(),
    userMessage: 'When does the palm house close in winter?',
  })

  expect(body).toMatchObject({ inject: '', memoryCount: 0 })
})
