import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { readTokenizer } from '../tokenizer.fixture.ts'

/** As the real one from outside: two rows for each word piece would be its last layer. */
const runtime = `
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }) }
}
export const InferenceSession = {
  create: async (file) => ({
    inputNames: ['input_ids', 'attention_mask'],
    run: async ({ input_ids, attention_mask, ...others }) => {
      if (Object.keys(others).length > 0) throw new Error('Not requested.')
      const ids = [...input_ids.data].map(Number)
      if (ids.includes(9999)) await new Promise(() => {})
      const data = Float32Array.from(ids.flatMap((id) => [id % 7, id % 5, 1]))
      return { last_hidden_state: { dims: [1, ids.length, 3], data } }
    },
  }),
}
`

/** A folder with a model, and the package that a user installs next to it. */
export async function plantModel(withRuntime = true): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(await readTokenizer()))
  await writeFile(join(folder, 'model.onnx'), '')
  if (withRuntime) await installRuntime(folder)
  return folder
}

export async function installRuntime(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', 'onnxruntime-node')
  await mkdir(installed, { recursive: true })
  const about = { name: 'onnxruntime-node', type: 'module', exports: './index.js' }
  await writeFile(join(installed, 'package.json'), JSON.stringify(about))
  await writeFile(join(installed, 'index.js'), runtime)
}
