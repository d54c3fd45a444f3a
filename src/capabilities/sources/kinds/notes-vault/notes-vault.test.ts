import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addSource } from '../../manage.ts'
import { ada, onEachEngine, sourcesKit } from '../../sources.fixture.ts'
import { describeKind, type ItemName } from '../kind.contract.ts'
import { draftVault } from './draft.ts'

const texts: Readonly<Record<ItemName, string>> = {
  one: 'The quillwort grows at the bottom of the lake.',
  two: 'The sphagnum grows on the bog along the road.',
  three: 'The liverwort grows on the wall of the mill.',
}

describeKind((name, run) =>
  onEachEngine(`notes-vault: ${name}`, async (db) => {
    const kit = await sourcesKit(db)
    const root = join(kit.folder, 'vault')
    const pathOf = (item: ItemName) => join(root, 'moss', `${item}.md`)
    const state = { seconds: 1_700_000_000 }
    const put = async (item: ItemName, text: string) => {
      await mkdir(join(root, 'moss'), { recursive: true })
      await writeFile(pathOf(item), text)
      // A second write within a tick of the file system has another time.
      state.seconds += 1
      await utimes(pathOf(item), state.seconds, state.seconds)
    }
    for (const item of ['one', 'two', 'three'] as const) await put(item, texts[item])
    const request = { path: root, name: undefined, excludeGlobs: undefined, agentId: ada.agentId }
    const draft = await draftVault(request, kit.folder)
    const add = async () => {
      await addSource(kit, draft)
      return kit.settle(draft.id)
    }
    const remove = (item: ItemName) => rm(pathOf(item))
    await run({ kit, id: draft.id, add, put, remove, pathOf })
  }),
)
