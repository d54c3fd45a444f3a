import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { main } from 'assemblyscript/asc'

const folder = 'src/capabilities/recall/engine/embedded/vectors'

/** The module that holds the compiled kernel, as it must stand beside its source. */
export async function renderScanKernel(): Promise<string> {
  const source = readFileSync(`${folder}/scan-kernel.as`, 'utf8')
  const built: { wasm?: Uint8Array } = {}
  const { error, stderr } = await main(
    [
      ...['kernel.ts', '--outFile', 'kernel.wasm', '-O3', '--runtime', 'stub', '--noAssert'],
      ...['--enable', 'simd', '--importMemory', '--maximumMemory', '65536'],
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, contents) => {
        if (name === 'kernel.wasm' && typeof contents !== 'string') built.wasm = contents
      },
      listFiles: () => [],
    },
  )
  if (error || !built.wasm) throw new Error(`scan-kernel.as: ${error?.message} ${stderr}`)
  const lines =
    Buffer.from(built.wasm)
      .toString('base64')
      .match(/.{1,90}/g) ?? []
  return `/** Built from scan-kernel.as by \`node scripts/scan-kernel.ts\`. */\nexport const scanKernel = \`\n${lines.join('\n')}\n\`\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(`${folder}/scan-kernel-binary.ts`, await renderScanKernel())
