import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { removeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'

/** A Node of this machine that is too old, if there is one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(isTooOld)

test('the launcher runs the build with its own Node, if that is new enough', async () => {
  const command = [process.execPath, 'bin/reverie']
  const { code, stderr } = await runReverie(['nonsense'], { command })

  expect(code).toBe(2)
  expect(stderr).toContain("unknown command 'nonsense'")
})

describe.skipIf(oldNode === undefined)('with a Node that is too old', () => {
  const old = oldNode ?? ''

  test('the launcher runs the Node that npm installed above it', async () => {
    const launcher = await install('process.stdout.write(process.version); process.exitCode = 7')
    const { code, stdout } = await runReverie([], { command: [old, launcher] })

    expect({ code, stdout }).toEqual({ code: 7, stdout: process.version })
  })

  test.each(['start', 'list', 'doctor', '--help'])(
    '%s of the build names the Node to install',
    async (name) => {
      const { code, stderr } = await runReverie([name], { command: [old, 'dist/main.js'] })

      expect(code).toBe(1)
      expect(stderr).toMatch(/^Node \S+ is too old\. Install Node 24 or newer\.\n$/)
    },
  )

  test('the launcher passes signals on', async () => {
    const launcher = await install(
      "process.on('SIGTERM', () => process.exit(9)); process.stdout.write('up'); setInterval(() => {}, 1000)",
    )
    const child = spawn(old, [launcher], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGTERM')

    expect((await once(child, 'exit'))[0]).toBe(9)
  })

  test('the launcher reports in one line what is missing, if npm installed none', async () => {
    const launcher = await install('', { delivered: false })
    const { code, stderr } = await runReverie([], { command: [old, launcher] })

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^Reverie needs Node 24 or newer; this is v\S+ and npm delivered none\.\n$/,
    )
  })
})

test('the build reports an old version before it loads other modules', async () => {
  const olden =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})"
  const command = [process.execPath, '--import', olden, 'dist/main.js']
  const { code, stdout, stderr } = await runReverie(['list', '--json'], { command })

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({
    error: 'Node 20.1.0 is too old',
    code: 'node_too_old',
    hint: 'Install Node 24 or newer.',
  })
})

test('the package, the launcher, the command and the build name the same oldest Node', async () => {
  const readVersion = async (file: string, pattern: RegExp) =>
    pattern.exec(await readFile(file, 'utf8'))?.groups?.['major']

  expect(
    await Promise.all([
      readVersion('package.json', /"node": ">=(?<major>\d+)"/),
      readVersion('bin/reverie', /minMajor = (?<major>\d+)/),
      readVersion('src/surfaces/cli/node-version.ts', /minMajor = (?<major>\d+)/),
      readVersion('scripts/build.ts', /target: 'node(?<major>\d+)'/),
    ]),
  ).toEqual(['24', '24', '24', '24'])
})

/** A package as npm installs it globally, with its Node in the same folder. */
async function install(main: string, { delivered = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-installed-'))
  onTestFinished(() => removeFolder(folder))
  const own = join(folder, 'node_modules', 'reverie')
  await mkdir(join(own, 'bin'), { recursive: true })
  await mkdir(join(own, 'dist'))
  await copyFile('bin/reverie', join(own, 'bin', 'reverie'))
  await copyFile('bin/package.json', join(own, 'bin', 'package.json'))
  await writeFile(join(own, 'dist', 'main.js'), main)
  if (delivered) {
    const bin = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
    await mkdir(bin, { recursive: true })
    await copyFile(process.execPath, join(bin, 'node'))
  }
  return join(own, 'bin', 'reverie')
}

function isTooOld(node: string): boolean {
  try {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' })
    return Number.parseInt(version.slice(1), 10) < 24
  } catch {
    return false
  }
}
