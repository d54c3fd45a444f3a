import { expect } from 'vitest'
import type { SourcesKit } from '../sources.fixture.ts'

export type ItemName = 'one' | 'two' | 'three'

/** A source with the items `one`, `two` and `three`, each with a text. */
interface KindSetup {
  readonly kit: SourcesKit
  readonly id: string
  /** Adds the source and waits for its first run. */
  add(): ReturnType<SourcesKit['settle']>
  put(item: ItemName, text: string): void | Promise<void>
  remove(item: ItemName): void | Promise<void>
  pathOf(item: ItemName): string
}

type WithSource = (name: string, run: (setup: KindSetup) => Promise<void>) => void

export const wordsOf = async ({ kit, id }: Pick<KindSetup, 'kit' | 'id'>) =>
  (await kit.listChunks(id)).map(({ text }) => text).join('\n')

/** What every kind of source does. */
export function describeKind(withSource: WithSource): void {
  withSource('all items are indexed with their words', async (setup) => {
    const { kit, id, add, pathOf } = setup
    expect(await add()).toMatchObject({ status: 'complete', partial: false })

    const paths = await kit.listPaths(id)
    for (const item of ['one', 'two', 'three'] as const) expect(paths).toContain(pathOf(item))
    const words = await wordsOf(setup)
    for (const word of ['quillwort', 'sphagnum', 'liverwort']) expect(words).toContain(word)
    expect(kit.statuses).toEqual(['queued', 'running', 'complete'])
    expect((await kit.registry.find(id))?.lastIndexedAt).toBeDefined()
  })

  withSource('a second run of an unchanged origin writes nothing', async ({ kit, id, add }) => {
    await add()
    const before = await kit.listChunks(id)

    expect(await kit.run(id)).toMatchObject({ status: 'complete' })
    expect(await kit.listChunks(id)).toEqual(before)
  })

  withSource('an edit and a removal are followed', async (setup) => {
    const { kit, id, add, put, remove, pathOf } = setup
    await add()
    await put('one', 'The maidenhair replaces it in this long sentence.')
    await remove('three')

    expect(await kit.run(id)).toMatchObject({ status: 'complete' })
    const words = await wordsOf(setup)
    expect(words).toContain('maidenhair')
    expect(words).toContain('sphagnum')
    expect(words).not.toContain('quillwort')
    expect(words).not.toContain('liverwort')
    expect(await kit.listPaths(id)).not.toContain(pathOf('three'))
  })

  withSource('a deletion leaves no row', async ({ kit, id, add }) => {
    await add()

    const { purged } = await kit.deletion.delete('ada', id)
    expect(purged.artifacts).toBeGreaterThanOrEqual(3)
    expect(await kit.listPaths(id)).toEqual([])
    expect(await kit.listChunks(id)).toEqual([])
    expect(await kit.registry.find(id)).toBeUndefined()
  })

  withSource('a source that was deleted is indexed again as new', async (setup) => {
    const { kit, id, add } = setup
    await add()
    await kit.deletion.delete('ada', id)

    expect(await add()).toMatchObject({ status: 'complete' })
    expect(await wordsOf(setup)).toContain('sphagnum')
  })
}
