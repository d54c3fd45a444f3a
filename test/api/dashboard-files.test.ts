import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface BuiltFile {
  readonly path: string
  readonly type: string
  readonly transferSize: number
}

const [, build = ''] = /'\.\/(.+)\/main\.js'/.exec(await readFile('dist/main.js', 'utf8')) ?? []
const folder = join('dist', build, 'dashboard')
const list = JSON.parse(await readFile(join(folder, 'files.json'), 'utf8')) as {
  readonly files: readonly BuiltFile[]
}
const files = list.files.filter(
  ({ type }) => !type.startsWith('font/') && type !== 'text/plain; charset=utf-8',
)
const html = await readFile(join(folder, 'index.html'), 'utf8')
const isFirst = ({ path }: BuiltFile) => path === 'index.html' || html.includes(`"/ui/${path}"`)
const sum = (listed: readonly BuiltFile[]) =>
  listed.reduce((total, { transferSize }) => total + transferSize, 0)

test('the first load of the dashboard has at most 180 kB without the fonts', () => {
  const first = files.filter(isFirst)

  expect(first.length).toBeGreaterThan(2)
  expect(sum(first)).toBeLessThanOrEqual(180_000)
})

test('a part that is loaded later has at most 110 kB, all together at most 900 kB', () => {
  const later = files.filter((file) => !isFirst(file))

  expect(later.length).toBeGreaterThan(12)
  expect(later.filter(({ transferSize }) => transferSize > 110_000)).toEqual([])
  expect(sum(files)).toBeLessThanOrEqual(900_000)
})
