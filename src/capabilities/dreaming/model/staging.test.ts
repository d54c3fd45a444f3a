import { expect } from 'vitest'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { onEachEngine } from '../dreaming.fixture.ts'
import { invokeCapability } from '../registry/invoke.ts'
import { modelKit, setInstrument } from './model.fixture.ts'

const quote = 'Maud Reyes studies the cello.'

onEachEngine('a caller stages with the model of a running pass only', async (db) => {
  const { remember, dream, follow, values, needs } = modelKit(db, [])
  const sourceId = await remember(`Yesterday was long. ${quote}`)
  const [id, input] = setInstrument({
    entity: 'Maud Reyes',
    value: 'the cello',
    quote,
    sourceId,
  })
  const ada = callerFor('ada')
  const replies: unknown[] = []
  const stage = async () => {
    const passId = needs.active.current?.passId
    for (const agent of [ada, callerFor('bob')])
      replies.push(
        await invokeCapability(needs, agent, { id, input, passId }).then(
          ({ body }) => body,
          (error: Error) => error.message,
        ),
      )
    expect(await values('Maud Reyes', 'instrument')).toEqual([])
    return { done: true }
  }
  follow([stage])
  const { pass, operations } = await dream()
  expect(replies).toMatchObject([
    { ok: true, items: [{ index: 0, ok: true, state: 'planned' }] },
    expect.stringContaining('takes no operations'),
  ])
  expect(operations).toMatchObject([{ origin: 'model', state: 'applied' }])
  expect(await values('Maud Reyes', 'instrument')).toEqual(['the cello'])
  await expect(invokeCapability(needs, ada, { id, input, passId: pass.id })).rejects.toThrow(
    'takes no operations',
  )
})
