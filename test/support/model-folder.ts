import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** A vocabulary without words suffices for queries. */
const tokenizer = {
  added_tokens: [],
  normalizer: null,
  post_processor: null,
  decoder: null,
  pre_tokenizer: { type: 'BertPreTokenizer' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: { '[UNK]': 0 },
  },
}

/** Answers as the user's package does: three numbers for each token. */
export const workingPackage = `
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }) }
}
export const InferenceSession = {
  create: async () => ({
    inputNames: ['input_ids'],
    run: async ({ input_ids }) => {
      const data = Float32Array.from([...input_ids.data].flatMap((_id, _index, ids) => [1, 2, ids.length]))
      return { last_hidden_state: { dims: [1, input_ids.data.length, 3], data } }
    },
  }),
}
`

/** A model for the provider `onnx`, with its runtime package if one is given. */
export async function makeModelFolder(runtime?: string): Promise<string> {
  const folder = await makeFolder()
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  await writeFile(join(folder, 'model.onnx'), '')
  if (runtime !== undefined) await installRuntime(folder, runtime)
  return folder
}

/** The package that a user installs next to a model, or in a folder above it. */
export async function installRuntime(folder: string, runtime: string): Promise<void> {
  const installed = join(folder, 'node_modules', 'onnxruntime-node')
  await mkdir(installed, { recursive: true })
  const about = { name: 'onnxruntime-node', type: 'module', exports: './index.js' }
  await writeFile(join(installed, 'package.json'), JSON.stringify(about))
  await writeFile(join(installed, 'index.js'), runtime)
}
