import { expect, test } from 'vitest'
import { TooLate } from '../../kernel/threads/task-thread.ts'
import { createFuse } from './fuse.ts'

const open = new AbortController().signal
const late = () => Promise.reject(new TooLate('no answer within 5 ms'))
const broken = () => Promise.reject(new Error('no such file'))
const works = () => Promise.resolve('made')

test('what was late once is not done again', async () => {
  const fuse = createFuse()
  expect(await fuse.run(works, open)).toBe('made')
  const said = 'no answer within 5 ms: not asked again before a restart'

  await expect(fuse.run(late, open)).rejects.toMatchObject({ kind: 'provider', message: said })
  await expect(fuse.run(works, open)).rejects.toMatchObject({ kind: 'provider', message: said })
  expect(fuse.blown()).toBe(said)
})

test('what fails, or is ended on purpose, may be asked again', async () => {
  const fuse = createFuse()

  await expect(fuse.run(broken, open)).rejects.toMatchObject({ message: 'no such file' })
  await expect(fuse.run(late, AbortSignal.abort())).rejects.toMatchObject({ kind: 'provider' })
  expect(fuse.blown()).toBeUndefined()
  expect(await fuse.run(works, open)).toBe('made')
})
