import { expect, test } from 'vitest'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { embedderContract } from '../embedder.contract.ts'
import { EmbeddingFailure } from '../embedder.ts'
import { createStaticModel, readStaticModel } from '../static-model/index.ts'
import { createStaticEmbedder } from './static.ts'

const model = readStaticModel().then(createStaticModel)
const create = () => createStaticEmbedder({ host: fixedHost(), model: () => model })

embedderContract('the static model', async () => create())

test('the whole of a long text is what its passages are together', async () => {
  const text = 'the lighthouse keeper is Maud and she likes the sea; '.repeat(60)
  const [made] = await create().embed({ texts: [text], kind: 'document' })
  const direct = (await model).embed(text)

  expect(made?.passages.length).toBeGreaterThan(3)
  for (const [at, value] of (made?.whole ?? []).entries())
    expect(value).toBeCloseTo(direct?.[at] ?? Number.NaN, 5)
})

test('without its files it is a provider that does not answer', async () => {
  const gone = createStaticEmbedder({
    host: fixedHost(),
    model: () => readStaticModel(new URL('file:///nowhere/')).then(createStaticModel),
  })

  await expect(gone.identity()).rejects.toThrow(EmbeddingFailure)
})
