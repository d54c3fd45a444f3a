import { expect, test } from 'vitest'
import type { Embedder } from './embedder.ts'

/** What every way to make vectors holds; `make` gives one that answers, and tidies up by itself. */
export function embedderContract(name: string, make: () => Promise<Embedder>): void {
  test(`${name} says what it makes, and says the same again`, async () => {
    const embedder = await make()
    const identity = await embedder.identity()

    expect(identity.dims).toBeGreaterThan(0)
    expect(await embedder.identity()).toEqual(identity)
    expect(JSON.stringify(identity)).not.toContain('127.0.0.1')
  })

  test(`${name} gives each text one vector of unit length, in their order`, async () => {
    const embedder = await make()
    const { dims } = await embedder.identity()
    const texts = ['a grey kitten', 'a linker error', 'a grey kitten']

    const made = await embedder.embed({ texts, kind: 'document' })

    expect(made).toHaveLength(3)
    for (const one of made) {
      expect(one?.whole).toHaveLength(dims)
      expect(Math.hypot(...(one?.whole ?? []))).toBeCloseTo(1, 5)
    }
    expect(made[2]).toEqual(made[0])
    expect(made[1]).not.toEqual(made[0])
  })

  test(`${name} gives a question one as well`, async () => {
    const embedder = await make()
    const [made] = await embedder.embed({ texts: ['Which pet?'], kind: 'query' })

    expect(made?.whole).toHaveLength((await embedder.identity()).dims)
  })
}
