import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { makeUpdateLab, type UpdateLab } from '../support/update-lab.ts'

const current = about.version
const printsVersion = (version: string) =>
  `if (process.argv.includes('--version')) console.log('${version}')\nelse process.exit(3)\n`

let lab: UpdateLab
beforeAll(async () => {
  lab = await makeUpdateLab()
}, 300_000)
afterAll(() => lab.stop(), 200_000)

test('no request leaves while no person asks', () => {
  expect(lab.registry.requests).toEqual([])
})

test.each([
  ['wrong digest', 'checksum_mismatch'],
  ['no digest', 'manifest_invalid'],
  ['wrong name', 'manifest_invalid'],
  ['truncated body', 'download_failed'],
  ['redirect', 'download_failed'],
] as const)('a version with a %s is refused and leaves nothing', async (damage, errorCode) => {
  const version = `0.9.${damage.length}`
  lab.registry.publish(version, await lab.pack(version, printsVersion(version)), damage)
  const reply = await lab.run({ targetVersion: version })

  expect(reply).toMatchObject({ success: false, restartRequired: false, errorCode })
  expect(await lab.listVersions()).toEqual([])
  expect((await lab.reverie(['--version'])).stdout.trim()).toBe(current)
})

test.each([
  ['reports another version', `console.log('7.7.7')\n`],
  ['never becomes ready', printsVersion('0.8.2')],
])(
  'a version that %s is not selected',
  async (why, main) => {
    const version = why.startsWith('reports') ? '0.8.1' : '0.8.2'
    lab.registry.publish(version, await lab.pack(version, main))
    const reply = await lab.run({ targetVersion: version })

    expect(reply).toMatchObject({ success: false, errorCode: 'verification_failed' })
    expect(await lab.listVersions()).toEqual([])
  },
  200_000,
)

test('an older version, a text that is no version and an unknown one are refused', async () => {
  const codes = []
  for (const targetVersion of ['0.0.9', 'newest', '5.5.5'])
    codes.push((await lab.run({ targetVersion }))['errorCode'])
  expect(codes).toEqual(['invalid_target_version', 'invalid_target_version', 'manifest_invalid'])
})

test('a version that migrates and dies is rolled back, and every memory is there', async () => {
  const version = '0.3.0'
  const main = await lab.build(version, dyingMigration)
  lab.registry.publish(version, await lab.pack(version, `import '${main}'\n`))
  const { code, stderr } = await lab.reverie(['upgrade', '--to', version, '--json'])

  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    code: 'update_rolled_back',
  })
  expect(code).toBe(1)
  expect((await lab.reverie(['--version'])).stdout.trim()).toBe(current)
  expect(await lab.recall()).toContain('moss')
}, 300_000)

test('a kill during an update leaves a program that starts and has every memory', async () => {
  const version = '0.2.0'
  const main = await lab.build(version)
  lab.registry.publish(version, await lab.pack(version, `import '${main}'\n`))
  for (const delayMs of [150, 1500]) {
    const run = lab.run({ targetVersion: version }).catch(() => undefined)
    await pause(delayMs)
    await lab.kill()
    await run
    expect([current, version]).toContain((await lab.reverie(['--version'])).stdout.trim())
    await lab.start()
    expect(await lab.recall()).toContain('moss')
  }
}, 300_000)

test('an update ends in the running new version', async () => {
  const dryRun = await lab.json(['upgrade', '--dry-run'])
  expect(dryRun).toMatchObject({ success: true, dryRun: true, from: current, to: '0.2.0' })
  expect(dryRun['installMethod']).toBe('npm')
  const [first, second] = await Promise.all([
    lab.run({ targetVersion: '0.2.0' }),
    lab.run({ targetVersion: '0.2.0' }),
  ])
  expect([first['errorCode'], second['errorCode']]).toContain('update_in_progress')
  const done = await lab.json(['restart'])

  expect(done).toMatchObject({ status: 'started' })
  expect((await lab.reverie(['--version'])).stdout.trim()).toBe('0.2.0')
  expect((await lab.json(['status']))['version']).toBe('0.2.0')
  expect(await lab.recall()).toContain('moss')
  const versions = dirname(lab.versions)
  expect(
    JSON.parse(await readFile(join(versions, 'versions', 'active.json'), 'utf8')),
  ).toMatchObject({
    version: '0.2.0',
    state: 'trial',
    starts: 1,
  })
  expect((await readdir(lab.versions)).toSorted()).toEqual(['0.2.0', 'active.json'])
}, 300_000)

test('the launcher gives up a version at its third start without a confirmation', async () => {
  await lab.reverie(['stop'])
  const file = join(lab.versions, 'active.json')
  const pointer = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...pointer, starts: 2 }))
  await lab.start()

  expect((await lab.json(['status']))['version']).toBe(current)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    version: null,
    rolledBack: '0.2.0',
  })
  expect(await lab.recall()).toContain('moss')
}, 200_000)

/** Migrates, then ends the process; not on the empty workspace of the verification. */
function dyingMigration(bundle: string): string {
  const steps = [
    '{id:"99990101T0000-future",sqlite:["create table future (id text)"],postgres:[]}',
    '{id:"99990102T0000-death",up:async()=>{process.env.SVC_PATH.includes("reverie-trial-")||process.exit(9)}}',
  ]
  return bundle.replace('[...jobsMigrations,', `[${steps.join(',')},...jobsMigrations,`)
}
