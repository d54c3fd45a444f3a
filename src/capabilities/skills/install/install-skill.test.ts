import { execFile } from 'node:child_process'
import {
  chmod,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { create } from 'tar'
import { expect, test } from 'vitest'
import { createTestSkills, skillText, writeFiles, writeProgram } from '../skills.fixture.ts'

const installed = (folder: string, path = '') => join(folder, 'skills', 'dig', path)
const leftovers = async (folder: string) => [
  ...(await readdir(join(folder, '.daemon'))),
  ...(await readdir(join(folder, 'skills')).catch(() => [])),
]

test('a folder is copied with the modes of its owner', async () => {
  const { folder, install, source } = await createTestSkills()
  await writeFiles(source, { 'SKILL.md': skillText, 'scripts/run.sh': 'echo' })
  await chmod(join(source, 'scripts/run.sh'), 0o775)

  expect(await install(source)).toMatchObject({ success: true, name: 'dig' })

  const mode = async (path: string) => (await stat(installed(folder, path))).mode & 0o777
  expect(await readFile(installed(folder, 'SKILL.md'), 'utf8')).toBe(skillText)
  expect([await mode(''), await mode('SKILL.md'), await mode('scripts/run.sh')]).toEqual([
    0o700, 0o600, 0o700,
  ])
  expect(await leftovers(folder)).toEqual(['dig'])
})

test('an installed skill is replaced as a whole', async () => {
  const { folder, install, source } = await createTestSkills()
  await writeFiles(source, { 'SKILL.md': skillText, 'old.md': 'old' })
  await install(source)
  await writeFiles(`${source}2`, { 'SKILL.md': skillText, 'new.md': 'new' })
  await install(`${source}2`)

  expect((await readdir(installed(folder))).toSorted()).toEqual(['SKILL.md', 'new.md'])
})

const levels = [...'bcdefgh'].map((name, index) => {
  const aliases = `*${'abcdefg'[index]}, `.repeat(9)
  return `${name}: &${name} [${aliases}]`
})
const aliasBomb = `---\nname: dig\ndescription: Digs\na: &a [x, x, x]\n${levels.join('\n')}\n---\n`

const hostile: Record<string, (source: string) => Promise<unknown>> = {
  'a link': (source) => symlink('/etc/hostname', join(source, 'link')),
  'a linked folder': (source) => symlink('/etc', join(source, 'folder')),
  'a hard link': async (source) => {
    await writeFile(`${source}-other`, 'x')
    await link(`${source}-other`, join(source, 'hard'))
  },
  'a name in two cases': (source) => writeFiles(source, { 'a.md': 'x', 'A.md': 'x' }),
  'a name with a line break': (source) => writeFile(join(source, 'a\nb'), 'x'),
  'a name that ends with a dot': (source) => writeFile(join(source, 'a.'), 'x'),
  'a name with a backslash': (source) => writeFile(join(source, 'a\\b'), 'x'),
  'a pipe': (source) => promisify(execFile)('mkfifo', [join(source, 'pipe')]),
  'a name that ends with a blank': (source) => writeFile(join(source, 'a '), 'x'),
  'a large file': (source) => writeFile(join(source, 'large'), Buffer.alloc(10_485_761)),
  'a deep folder': (source) => mkdir(join(source, ...'abcdefghijk'), { recursive: true }),
  'many files': (source) =>
    writeFiles(
      source,
      Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`f${at}`, ''])),
    ),
  'more than 50 MiB': async (source) => {
    for (let number = 0; number < 6; number++)
      await writeFile(join(source, `part${number}`), Buffer.alloc(9_000_000))
  },
  'SKILL.md as a folder': async (source) => {
    await rm(join(source, 'SKILL.md'))
    await mkdir(join(source, 'SKILL.md'))
  },
  'SKILL.md as a link': async (source) => {
    await rename(join(source, 'SKILL.md'), `${source}-skill.md`)
    await symlink(`${source}-skill.md`, join(source, 'SKILL.md'))
  },
  'no SKILL.md': (source) => rm(join(source, 'SKILL.md')),
  'a frontmatter of 20 KiB': (source) =>
    writeFile(join(source, 'SKILL.md'), skillText.replace('\n', `\nnote: ${'x'.repeat(20_480)}\n`)),
  'an alias bomb': (source) => writeFile(join(source, 'SKILL.md'), aliasBomb),
  'no description': (source) => writeFile(join(source, 'SKILL.md'), '---\nname: dig\n---\n'),
  'no frontmatter': (source) => writeFile(join(source, 'SKILL.md'), 'Dig.'),
  'another name': (source) =>
    writeFile(join(source, 'SKILL.md'), '---\nname: fill\ndescription: Fills\n---\n'),
  'a SKILL.md of 10 MB': (source) =>
    writeFile(join(source, 'SKILL.md'), skillText + 'x'.repeat(10_000_000)),
}

test.each(Object.entries(hostile))(
  'a package with %s is refused and leaves nothing',
  async (_, spoil) => {
    const { folder, install, source } = await createTestSkills()
    await writeFiles(source, { 'SKILL.md': skillText })
    await spoil(source)

    expect(await install(source)).toMatchObject({ status: 500, body: { success: false } })
    expect(await leftovers(folder)).toEqual([])
  },
)

test.each(['', 'dig/'])('an archive with its files in "%s" is unpacked', async (prefix) => {
  const { root, folder, install } = await createTestSkills()
  await writeFiles(join(root, 'in'), { [`${prefix}SKILL.md`]: skillText, [`${prefix}a/b.md`]: 'b' })
  const file = join(root, 'dig.tgz')
  await create({ file, cwd: join(root, 'in'), gzip: true }, [prefix === '' ? '.' : 'dig'])

  expect(await install(file)).toMatchObject({ success: true })
  expect(await readFile(installed(folder, 'a/b.md'), 'utf8')).toBe('b')
})

interface Entry {
  readonly path: string
  readonly type?: string
  readonly content?: string
}

/** A POSIX header of 512 bytes and the padded content. */
function toTar(entries: readonly Entry[]): Buffer {
  const blocks = entries.map(({ path, type = '0', content = '' }) => {
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write('0000644\0', 100)
    header.write('0000000\0'.repeat(2), 108)
    header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124)
    header.write(`${'0'.repeat(11)}\0`, 136)
    header.write(' '.repeat(8), 148)
    header.write(type, 156)
    header.write('/etc/hostname', 157)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512)
    body.write(content)
    return Buffer.concat([header, body])
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

const skill = { path: 'SKILL.md', content: skillText }
const hostileArchives: Record<string, Buffer> = {
  'a link': toTar([skill, { path: 'link', type: '2' }]),
  'a hard link': toTar([skill, { path: 'hard', type: '1' }]),
  'a pipe': toTar([skill, { path: 'pipe', type: '6' }]),
  'a device': toTar([skill, { path: 'device', type: '3' }]),
  'a path that leaves it': toTar([skill, { path: '../outside.md', content: 'x' }]),
  'an inner path that leaves it': toTar([skill, { path: 'a/../../outside.md', content: 'x' }]),
  'an absolute path': toTar([skill, { path: '/outside.md', content: 'x' }]),
  'an unsafe name': toTar([skill, { path: 'a.', content: 'x' }]),
  'many files': toTar([
    skill,
    ...Array.from({ length: 2_001 }, (_, number) => ({ path: `f${number}`, content: '' })),
  ]),
  'a deep folder': toTar([skill, { path: 'a/b/c/d/e/f/g/h/i/j/k', content: 'x' }]),
  'a name twice': toTar([skill, { path: 'skill.md', content: 'x' }]),
  'a file in the place of a folder': toTar([skill, { path: 'SKILL.md/a', content: 'x' }]),
  'a bomb': gzipSync(Buffer.alloc(30_000_000)),
  'a bomb in a file': toTar([skill, { path: 'zeros', content: '\0'.repeat(9_000_000) }]),
  'no end': toTar([skill]).subarray(0, 100),
  'no archive': Buffer.from('text'),
}

test.each(Object.entries(hostileArchives))(
  'an archive with %s is refused and leaves nothing',
  async (_, bytes) => {
    const { root, folder, install } = await createTestSkills()
    const file = join(root, 'dig.tar.gz')
    await writeFile(file, bytes)

    expect(await install(file)).toMatchObject({ status: 500, body: { success: false } })
    expect(await leftovers(folder)).toEqual([])
    expect((await readdir(root)).toSorted()).toEqual(['dig.tar.gz', 'workspace'])
  },
)

test('a package manager runs in a staging home and changes nothing in that of the user', async () => {
  const { root, folder, install } = await createTestSkills()
  const script = [
    `printf '%s\\n' "$@" "$HOME" "$XDG_CONFIG_HOME" "$DO_NOT_TRACK" > "${join(root, 'seen')}"`,
    '/bin/mkdir -p "$HOME/.agents/skills/dig" "$HOME/.claude/skills/dig"',
    `printf '%s' '${skillText}' > "$HOME/.agents/skills/dig/SKILL.md"`,
  ].join('\n')
  await writeProgram(join(root, 'bin'), 'npm', script)
  await mkdir(join(root, 'home'))

  expect(await install('ann/tools')).toMatchObject({ success: true })

  const seen = (await readFile(join(root, 'seen'), 'utf8')).trim().split('\n')
  expect(seen.slice(0, -3)).toEqual([
    'exec',
    '--yes',
    '--',
    'skills',
    'add',
    'ann/tools',
    '--skill',
    'dig',
    '--global',
    '--yes',
  ])
  expect(seen.slice(-3)).toEqual([
    expect.stringContaining(join(folder, '.daemon', 'skill-install-')),
    expect.stringMatching(/skill-install-\w+\/\.config$/),
    '1',
  ])
  expect(await readdir(join(root, 'home'))).toEqual([])
  expect(await leftovers(folder)).toEqual(['dig'])
})

test.each([
  ['fails', 'echo broken >&2; exit 3', 'The package manager ended with code 3: broken'],
  ['installs nothing', 'exit 0', "the package contains no skill 'dig'"],
])('a package manager that %s is reported', async (_, script, error) => {
  const { root, folder, install } = await createTestSkills()
  await writeProgram(join(root, 'bin'), 'bunx', script)

  expect(await install('dig')).toMatchObject({
    status: 500,
    body: { success: false, error: expect.stringContaining(error) },
  })
  expect(await leftovers(folder)).toEqual([])
})

test.each([
  ['dig', '-x', 'invalid_skill_source'],
  ['dig', '../x', 'invalid_skill_source'],
  ['dig', 'https://x.example', 'invalid_skill_source'],
  ['dig', 'a b', 'invalid_skill_source'],
  ['../dig', 'a', 'invalid_skill_name'],
  ['.dig', 'a', 'invalid_skill_name'],
  ['d'.repeat(65), 'a', 'invalid_skill_name'],
  ['dig\0', 'a', 'invalid_skill_name'],
  ['dig', 'ann/tools', 'package_manager_missing'],
])('the name %j with the source %j is refused with %s', async (name, source, code) => {
  const { install } = await createTestSkills()

  await expect(install(source, name)).rejects.toMatchObject({ code })
})

test('a second installation at the same time is refused', async () => {
  const { install, source } = await createTestSkills()
  await writeFiles(source, { 'SKILL.md': skillText })
  const first = install(source)

  await expect(install(source)).rejects.toMatchObject({ code: 'install_under_way' })
  expect(await first).toMatchObject({ success: true })
})

test('a start undoes a replacement that was interrupted between its renames', async () => {
  const { folder, skills } = await createTestSkills()
  await writeFiles(join(folder, 'skills', '.replace-dig', 'old'), { 'SKILL.md': skillText })
  await writeFiles(join(folder, 'skills', '.replace-fill', 'next'), { 'SKILL.md': skillText })
  await writeFiles(join(folder, '.daemon', 'skill-install-abc'), { 'half.md': 'x' })
  await skills.start()

  expect(await readFile(installed(folder, 'SKILL.md'), 'utf8')).toBe(skillText)
  expect(await leftovers(folder)).toEqual(['dig'])
})
