import { expect, test } from 'vitest'
import type { Embedder } from './embedder.ts'

/** Contract of every embedder; `make` returns a working one and cleans up after itself. */
export function embedderContract(name: string, make: () => Promise<Embedder>): void {
  test(`${name} returns the same identity again`, async () => {
    const embedder = await make()
    const identity = await embedder.identity()

    expect(identity.dims).toBeGreaterThan(0)
    expect(await embedder.identity()).toEqual(identity)
    expect(JSON.stringify(identity)).not.toContain('127.0.0.1')
  })

  test(`${name} returns one unit vector for each text, in order`, async () => {
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

  test(`${name} embeds a query`, async () => {
    const embedder = await make()
    const [made] = await embedder.embed({ texts: ['Which pet?'], kind: 'query' })

    expect(made?.whole).toHaveLength((await embedder.identity()).dims)
  })
}
