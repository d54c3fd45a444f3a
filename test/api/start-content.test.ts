import { expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService('stan')

const { hook, newKey } = hooksOf(service)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** An agent with a project, and the calls that use both. */
async function workOf(agentId: string, project: string) {
  await service.ask('POST /api/agents', { body: { name: agentId, read_policy: 'isolated' } })
  const about = { agentId, project }
  return {
    remember: (content: string, more: object = {}) =>
      service.ask('POST /api/memory/remember', { body: { ...about, content, ...more } }),
    call: async (name: string, body: object = {}) => (await hook(name, { ...about, ...body })).body,
    start: async (body: object = {}) => {
      const reply = (await hook('session-start', { ...about, sessionKey: newKey(), ...body })).body
      const memories = reply['memories'] as { readonly content: string }[]
      return { inject: String(reply['inject']), contents: memories.map(({ content }) => content) }
    },
  }
}

test('300 notes: a start shows old notes about the latest work, within its limits', async () => {
  const { remember, call, start } = await workOf('tess', '/home/tess/ferry-timetable')
  const old = { createdAt: daysAgo(200) }
  await remember('The harbour gate opens with the brass key.', old)
  await remember('Der Anleger am Nordufer bleibt im Winter geschlossen.', old)
  await remember('We decided that the ferry timetable counts in minutes.', old)
  for (let number = 0; number < 297; number++)
    await remember(`Note ${number}: the wind came from the west on that day`)
  const sessionKey = newKey()
  for (const userMessage of ['where is the key of the harbour gate?', 'wann öffnet der Anleger?'])
    await call('user-prompt-submit', { sessionKey, userMessage })
  await call('session-end', { sessionKey })

  await expect
    .poll(async () => (await start()).contents, { timeout: 20_000 })
    .toEqual(
      expect.arrayContaining([
        'The harbour gate opens with the brass key.',
        'Der Anleger am Nordufer bleibt im Winter geschlossen.',
        'We decided that the ferry timetable counts in minutes.',
      ]),
    )
  const { inject, contents } = await start()
  expect(contents.length).toBeLessThanOrEqual(50)
  expect(contents.join('').length).toBeLessThanOrEqual(2000)
  expect(inject.length).toBeLessThan(3000)
})

test('a start contains each fact once, without internal keys', async () => {
  const { remember, call, start } = await workOf('una', '/mill')
  const facts = ['The mill wheel was replaced in June.', 'Das Wehr wird jeden Montag geprüft.']
  for (const content of facts) await remember(content)
  await remember('In June the mill wheel was replaced')
  const summary = `${facts.join(' ')} The miller moved to the village.`
  for (const sessionKey of [newKey(), newKey()])
    await call('compaction-complete', { sessionKey, summary })
  await service.ask('POST /api/synthesis/trigger', { agent: 'una', body: { force: true } })

  const { inject } = await start()

  for (const words of ['mill wheel', 'Das Wehr wird', 'The miller moved to the village.'])
    expect(inject.split(words)).toHaveLength(2)
  expect(inject).not.toMatch(/session-\d|project:|node=|#source:|\[\[|--compaction/)
})

test('sessions of another project stay out of a start', async () => {
  const { call, start } = await workOf('vera', '/orchard')
  const summary = 'The cider press was sold. Die Presse ist verkauft.'
  await call('compaction-complete', { sessionKey: newKey(), project: '/press', summary })
  await call('compaction-complete', { sessionKey: newKey(), summary: 'The pears were pruned.' })
  await service.ask('POST /api/synthesis/trigger', { agent: 'vera', body: { force: true } })

  const { inject } = await start()

  expect(inject).toContain('The pears were pruned.')
  expect(inject).not.toMatch(/cider|Presse/)
  expect((await start({ project: '/press' })).inject).toContain('The cider press was sold.')
})

test('only a session that broke off is recovered, in the past tense', async () => {
  const { call, start } = await workOf('wim', '/dyke')
  const sessionKey = newKey()
  for (const userMessage of ['raise the dyke', 'Miss den Pegel!'])
    await call('user-prompt-submit', { sessionKey, userMessage })
  await call('pre-compaction', { sessionKey })

  const { inject } = await start()
  expect(inject).toMatch(/- The user \w+: raise the dyke\n- The user \w+: Miss den Pegel!/)
  expect((await start({ project: '/other' })).inject).not.toContain('raise the dyke')
  await call('session-end', { sessionKey })
  expect((await start()).inject).not.toContain('Recovery')
})

test('a start after a compaction of 20 memories has less than 2,000 characters', async () => {
  const { remember, call, start } = await workOf('xara', '/lock')
  for (let number = 0; number < 20; number++)
    await remember(
      `Chamber ${number} of the lock fills in ${number + 3} minutes if the upper gate is open, ` +
        'and the keeper notes the level in the book of the station before the gate opens again.',
      { type: number % 3 === 0 ? 'rule' : 'fact' },
    )
  const sessionKey = newKey()
  await start({ sessionKey })
  await call('user-prompt-submit', { sessionKey, userMessage: 'how long does chamber 4 take?' })
  await call('pre-compaction', { sessionKey })
  const summary = `We measured the chambers. ${'Each took some minutes. '.repeat(40)}`
  await call('compaction-complete', { sessionKey, summary })

  for (const source of [undefined, 'compact']) {
    const { inject, contents } = await start({ sessionKey, source })
    expect(inject.length).toBeLessThan(2000)
    expect(contents.length).toBeGreaterThan(0)
  }
})

test('a prompt gets no memories that recall would find', async () => {
  const { remember, call } = await workOf('yann', '/forge')
  const texts = ['The anvil weighs ninety kilograms.', 'Der Amboss wiegt neunzig Kilo.']
  for (const content of texts) await remember(content)

  for (const userMessage of texts) {
    const reply = await call('user-prompt-submit', { sessionKey: newKey(), userMessage })
    expect(reply).toMatchObject({ inject: '', dynamicContext: '', memoryCount: 0 })
  }
})

test('pre-compaction names memories of the session only', async () => {
  const { remember, call } = await workOf('zoe', '/kiln')
  const sessionKey = newKey()
  await call('remember', { sessionKey, content: 'The kiln holds 40 pots.' })
  await call('remember', { sessionKey, content: 'Der Ofen braucht zwölf Stunden.' })
  await remember('The clay comes from the river.', { pinned: true })

  const { instructions } = await call('pre-compaction', { sessionKey })

  expect(instructions).toContain('The kiln holds 40 pots.')
  expect(instructions).toContain('Der Ofen braucht zwölf Stunden.')
  expect(instructions).not.toContain('The clay')
})
