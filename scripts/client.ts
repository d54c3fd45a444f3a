import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { createServer } from '../src/kernel/http/server.ts'
import { createLog } from '../src/kernel/log/log.ts'
import { fixedHost } from '../src/kernel/testing/fixed-host.ts'
import { readTables } from './read-tables.ts'

const sources = 'src/client/public'

/** Builds the package entry `reverie/client`: one file with its types. */
export async function buildClient(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all([
    build({
      entryPoints: [`${sources}/index.ts`],
      outfile: `${folder}/index.js`,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      mainFields: ['module', 'main'],
    }),
    ...['index', 'reverie-error'].map((name) => declare(name, folder)),
    writeTypes(`${folder}/paths.d.ts`),
  ])
}

async function writeTypes(file: string): Promise<void> {
  const nodes = await openapiTypescript(await readDocument(), {
    // Fields with a default are optional in requests.
    defaultNonNullable: false,
    transform: (schema) => (isEmptyList(schema) ? emptyList : undefined),
  })
  await writeFile(file, astToString(nodes))
}

const emptyList = ts.factory.createTupleTypeNode([])

/** The library types a list without items as a list of anything. */
function isEmptyList(schema: object): boolean {
  return 'items' in schema && JSON.stringify(schema.items) === '{"not":{}}'
}

async function declare(name: string, folder: string): Promise<void> {
  const source = await readFile(`${sources}/${name}.ts`, 'utf8')
  const { outputText } = ts.transpileDeclaration(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, rewriteRelativeImportExtensions: true },
  })
  await writeFile(
    `${folder}/${name}.d.ts`,
    outputText.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"),
  )
}

/** Returns the API document that a daemon serves. */
async function readDocument(): Promise<OpenAPI3> {
  const { routes } = await readTables()
  const server = await createServer({ host: fixedHost(), log: createLog('silent') })
  try {
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const authenticate = () => {
      throw new Error('Nothing is called here but the document.')
    }
    await server.open({ routes, authenticate })
    return (await (await fetch(`${url}/openapi.json`)).json()) as OpenAPI3
  } finally {
    await server.close()
  }
}
