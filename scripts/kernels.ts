import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { main } from 'assemblyscript/asc'

const folder = 'src/search'
const kernels = ['embedded/vectors/scan-kernel', 'tokens/similarity-kernel'] as const
/** Uses memory that threads share. */
const isShared = (kernel: (typeof kernels)[number]) => kernel === 'embedded/vectors/scan-kernel'

/** Renders the module of a compiled kernel, which is next to its source. */
export async function renderKernel(kernel: (typeof kernels)[number]): Promise<string> {
  const source = readFileSync(`${folder}/${kernel}.as`, 'utf8')
  const output: { wasm?: Uint8Array } = {}
  const { error, stderr } = await main(
    [
      'kernel.ts',
      '--outFile',
      'kernel.wasm',
      '-O3',
      '--runtime',
      'stub',
      '--noAssert',
      '--enable',
      'simd',
      '--importMemory',
      '--maximumMemory',
      '65536',
      ...(isShared(kernel) ? ['--enable', 'threads', '--sharedMemory'] : []),
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, contents) => {
        if (name === 'kernel.wasm' && typeof contents !== 'string') output.wasm = contents
      },
      listFiles: () => [],
    },
  )
  if (error || !output.wasm) throw new Error(`${kernel}.as: ${error?.message} ${stderr}`)
  const lines =
    Buffer.from(output.wasm)
      .toString('base64')
      .match(/.{1,90}/g) ?? []
  const file = basename(kernel)
  const name = file.replace('-kernel', 'Kernel')
  return `/** Built from ${file}.as by \`node scripts/kernels.ts\`. */\nexport const ${name} = \`\n${lines.join('\n')}\n\`\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const kernel of kernels)
    writeFileSync(`${folder}/${kernel}-binary.ts`, await renderKernel(kernel))
