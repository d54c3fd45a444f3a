import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { readInlineTexts, readStaged, UnreadableFile } from './read-input.ts'
import { createTexts } from './texts.ts'
import { makeFolder } from './transcripts.fixture.ts'

const limit = 1_000

async function place() {
  const outside = makeFolder()
  const root = join(outside, 'staging')
  await mkdir(join(root, 'deep'), { recursive: true })
  await writeFile(join(outside, 'secret.txt'), 'secret')
  await writeFile(join(root, 'good.txt'), 'one\ntwo\n')
  return { root, outside, read: (path: string) => readStaged(root, path, limit) }
}

test('reads a regular file under the root, also through an inner link', async () => {
  const { root, read } = await place()
  await symlink(join(root, 'good.txt'), join(root, 'deep', 'inside.txt'))
  const whole = { text: 'one\ntwo\n', truncated: false }

  expect(await read(join(root, 'good.txt'))).toEqual(whole)
  expect(await read(join(root, 'deep', '..', 'good.txt'))).toEqual(whole)
  expect(await read(join(root, 'deep', 'inside.txt'))).toEqual(whole)
})

test('rejects every other path', async () => {
  const { root, outside, read } = await place()
  await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'))
  await symlink(outside, join(root, 'folder-link'))
  await symlink('/dev/zero', join(root, 'device'))
  await symlink(join(root, 'loop'), join(root, 'loop'))
  await link(join(outside, 'secret.txt'), join(root, 'hard.txt'))
  await mkdir(join(outside, 'staging-2'))
  await writeFile(join(outside, 'staging-2', 'file.txt'), 'secret')
  execFileSync('mkfifo', [join(root, 'fifo')])
  const paths = [
    join(outside, 'secret.txt'),
    join(root, '..', 'secret.txt'),
    join(root, 'link.txt'),
    join(root, 'folder-link', 'secret.txt'),
    join(root, 'device'),
    join(root, 'loop'),
    join(root, 'hard.txt'),
    join(root, 'fifo'),
    join(root, 'deep'),
    root,
    '/dev/zero',
    join(outside, 'staging-2', 'file.txt'),
    join(root, 'absent'),
    '',
    'good.txt',
    `${join(root, 'good.txt')}\0`,
    join(root, 'x'.repeat(5_000)),
    join(root, 'good.txt', 'x'),
  ]

  for (const path of paths) await expect(read(path), path).rejects.toThrow(/^[^/]*$/)
  for (const path of paths) await expect(read(path), path).rejects.toBeInstanceOf(UnreadableFile)
})

test.skipIf(process.getuid?.() === 0)('rejects a file without read permission', async () => {
  const { root, read } = await place()
  await chmod(join(root, 'good.txt'), 0o000)

  await expect(read(join(root, 'good.txt'))).rejects.toThrow('EACCES')
})

test('reads the newest whole lines of a long file', async () => {
  const { root, read } = await place()
  const line = `${'é'.repeat(49)}\n`
  await writeFile(join(root, 'long.txt'), line.repeat(100))
  await writeFile(join(root, 'one-line.txt'), 'x'.repeat(5_000))
  await writeFile(join(root, 'huge.txt'), '')
  await truncate(join(root, 'huge.txt'), 50_000_000_000)

  expect(await read(join(root, 'long.txt'))).toEqual({ text: line.repeat(10), truncated: true })
  expect(await read(join(root, 'one-line.txt'))).toEqual({ text: '', truncated: true })
  expect(await read(join(root, 'huge.txt'))).toEqual({ text: '', truncated: true })
})

test('a line of many megabytes does not displace the other lines of an inline text', async () => {
  const texts = createTexts(realHost)
  onTestFinished(() => texts.close())
  const before = 'User: is the gate open?'
  const long = 'x'.repeat(5_000_000)
  const [text, json] = await readInlineTexts({ texts }, 'generic', [
    `${before}\nAssistant: ${long}`,
    `${before}\n{"role":"tool","content":"${long}"}\nAssistant: it is`,
  ])

  expect(text?.content.slice(0, 60)).toBe(`[truncated]\n${before}\nAssistant: ${'x'.repeat(13)}`)
  expect(text?.content).toMatch(/x \[truncated]$/)
  expect(json?.content).toBe(`[truncated]\n${before}\nAssistant: it is`)
})
