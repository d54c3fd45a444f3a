import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundleProgram } from '../support/bundle-program.ts'
import { isLong } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { canMount, onFullDisk } from '../support/small-disk.ts'

const fixture = new URL(
  '../../src/capabilities/git-sync/sync-until-killed.fixture.ts',
  import.meta.url,
)
const program = await bundleProgram(fixture)
const runFile = promisify(execFile)
const rounds = isLong ? 100 : 4

/** Syncs a workspace in a process of its own, and kills it after a time. */
async function sync(folder: string, home: string, killAfterMs?: number) {
  const child = spawn(process.execPath, [program, folder, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const output = text(child.stdout)
  const startedAt = performance.now()
  if (killAfterMs !== undefined) {
    await once(child.stdout, 'readable')
    await Promise.race([pause(killAfterMs), closed])
    child.kill('SIGKILL')
  }
  await closed
  const [, reply] = (await output).split('\n')
  return { outcome: reply ? JSON.parse(reply) : undefined, ms: performance.now() - startedAt }
}

async function readFiles(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'))
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n')
}

/** Two workspaces that share a bare repository, each with its first text. */
async function makePair() {
  const root = await makeFolder()
  const [home, remote] = [join(root, 'home'), join(root, 'remote.git')]
  const [desk, laptop] = [join(root, 'desk'), join(root, 'laptop')]
  for (const folder of [home, desk, laptop]) await mkdir(folder)
  const env = { HOME: home, PATH: '/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1' }
  const git = async (cwd: string, ...args: string[]) =>
    (await runFile('git', args, { cwd, env, maxBuffer: 67_108_864 })).stdout
  await git(root, 'init', '-q', '--bare', '-b', 'main', remote)
  await git(root, 'config', '--global', 'user.name', 'Robin')
  await git(root, 'config', '--global', 'user.email', 'robin@localhost')
  for (const folder of [desk, laptop]) {
    await git(folder, 'init', '-q', '-b', 'main', '--template=')
    await git(folder, 'remote', 'add', 'origin', remote)
    await writeFile(join(folder, 'plan.md'), 'first\n')
    expect((await sync(folder, home)).outcome).toMatchObject({ success: true })
  }
  return { desk, laptop, home, git }
}

test('a kill at any step of a commit, a pull or a push loses no text', async () => {
  const { desk, laptop, home, git } = await makePair()
  const { ms } = await sync(laptop, home)
  /** Each of these texts is in a file, or in a commit of a branch or of a saved ref. */
  const assertStored = async (texts: readonly string[]) => {
    const stored = await git(desk, 'log', '--all', '-p', '-m', '--format=')
    const onDisk = await readFiles(desk)
    expect(texts.filter((each) => !(onDisk + stored).includes(each))).toEqual([])
  }

  for (let round = 0; round < rounds; round += 1) {
    // Both sides change one file, and each has one of its own.
    for (const [folder, side] of [
      [desk, 'desk'],
      [laptop, 'laptop'],
    ] as const) {
      await writeFile(join(folder, 'plan.md'), `plan of ${side} ${round}\n`)
      await writeFile(join(folder, `${side}-${round % 5}.md`), `note of ${side} ${round}\n`)
    }
    await sync(laptop, home)
    const before = (await readFiles(desk)).split('\n')
    await sync(desk, home, (ms * 1.5 * (round + 1)) / rounds)
    await assertStored(before)
  }

  expect((await sync(desk, home)).outcome).toMatchObject({ success: true })
  expect((await sync(laptop, home)).outcome).toMatchObject({ success: true })
  expect(await readFiles(laptop)).toContain(`note of desk ${rounds - 1}`)
  await git(desk, 'fsck', '--no-dangling')
}, 900_000)

test.skipIf(!canMount())(
  'a full disk stops a sync before a file of the workspace changes',
  async () => {
    const { desk, laptop, home } = await makePair()
    await writeFile(join(laptop, 'plan.md'), 'second\n')
    await writeFile(join(laptop, 'photo.md'), randomBytes(1_048_576).toString('hex'))
    expect((await sync(laptop, home)).outcome).toMatchObject({ success: true })
    await writeFile(join(desk, 'note.md'), 'own words\n')

    const steps = `"$0" "$1" "$SVC_PATH" "$2"; cat "$SVC_PATH"/*.md; ls "$SVC_PATH"`
    const script = `${onFullDisk(300).replace('"$@"', `sh -c '"'"'${steps}'"'"' "$@"`)}`
    const { stdout } = await runFile('sh', ['-c', script, 'sh', process.execPath, program, home], {
      env: { PATH: '/usr/bin:/bin', SVC_PATH: desk },
    })
    const [, reply = '', ...rest] = stdout.split('\n')

    expect(JSON.parse(reply)).toMatchObject({ success: false, code: 'storage_full' })
    expect(rest).toEqual(expect.arrayContaining(['first', 'own words']))
    expect(rest).not.toContain('photo.md')
    // With space again, the same sync succeeds and nothing is lost.
    expect((await sync(desk, home)).outcome).toMatchObject({ success: true })
    expect(await readFiles(desk)).toContain('own words')
  },
  120_000,
)
