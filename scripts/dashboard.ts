import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build, type Metafile } from 'esbuild'

const compress = promisify(gzip)
const resolvePackage = createRequire(import.meta.url).resolve
const source = 'src/surfaces/dashboard'
const entities = 'decode-named-character-reference'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

interface BuiltFile {
  readonly path: string
  readonly type: string
  readonly size: number
  /** The size that a browser receives. */
  readonly transferSize: number
  readonly sha256: string
  /** Loaded before the first screen is visible. */
  readonly isInitial: boolean
}

/** Builds the pages of the dashboard with their compressed forms and the list of their files. */
export async function buildDashboard(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  const { metafile } = await build({
    entryPoints: { app: `${source}/app.tsx`, style: `${source}/styles/index.css` },
    outdir: folder,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    publicPath: '/ui/',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome130', 'firefox132', 'safari18'],
    jsx: 'automatic',
    minify: true,
    metafile: true,
    legalComments: 'none',
    loader: { '.woff2': 'file' },
    // The form for browsers writes markup to decode names, which the policy of the pages forbids.
    alias: { [entities]: join(dirname(resolvePackage(entities)), 'index.js') },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const initial = findInitial(metafile, folder)
  await writeFile(join(folder, 'index.html'), await renderIndex(initial))
  await copyFile(`${source}/icon.svg`, join(folder, 'assets/icon.svg'))
  for (const name of ['inter', 'newsreader']) {
    const license = join(dirname(resolvePackage(`@fontsource-variable/${name}`)), 'LICENSE')
    await copyFile(license, join(folder, `assets/OFL-${name}.txt`))
  }
  const files = await listFiles(folder, new Set(initial))
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16)
  await writeFile(join(folder, 'files.json'), JSON.stringify({ version, files }))
}

/** The files that the page requests first: the entries, what they import, and the fonts. */
function findInitial({ outputs }: Metafile, folder: string): string[] {
  const entries = Object.keys(outputs).filter((path) => /assets\/(app|style)-/.test(path))
  const initial = new Set(entries)
  for (const path of initial)
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') initial.add(imported)
  const fonts = Object.keys(outputs).filter((path) => path.endsWith('.woff2'))
  return [...initial, ...fonts].map((path) => relative(folder, path))
}

async function renderIndex(initial: readonly string[]): Promise<string> {
  const url = (path: string) => `/ui/${path}`
  const links = initial.map((path) => {
    if (path.endsWith('.css')) return `<link rel="stylesheet" href="${url(path)}">`
    if (path.endsWith('.woff2'))
      return `<link rel="preload" href="${url(path)}" as="font" type="font/woff2" crossorigin>`
    return path.includes('/app-')
      ? `<script type="module" src="${url(path)}"></script>`
      : `<link rel="modulepreload" href="${url(path)}">`
  })
  const template = await readFile(`${source}/index.html`, 'utf8')
  return template.replace('<!-- files -->', links.join('\n'))
}

async function listFiles(folder: string, initial: ReadonlySet<string>): Promise<BuiltFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  return await Promise.all(paths.toSorted().map((path) => describeFile(folder, path, initial)))
}

async function describeFile(
  folder: string,
  path: string,
  initial: ReadonlySet<string>,
): Promise<BuiltFile> {
  const bytes = await readFile(join(folder, path))
  const type = types[extname(path)] ?? 'application/octet-stream'
  const isText = !type.startsWith('font/')
  const compressed = isText ? await compress(bytes, { level: 9 }) : undefined
  if (compressed) await writeFile(join(folder, `${path}.gz`), compressed)
  return {
    path,
    type,
    size: bytes.length,
    transferSize: compressed?.length ?? bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    isInitial: initial.has(path) || path === 'index.html',
  }
}
