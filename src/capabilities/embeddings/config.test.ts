import { expect, test } from 'vitest'
import { embeddingSettings } from './config.ts'

test.each([
  'http://me:word@127.0.0.1:11434',
  'https://me@models.example',
  'http://:word@a.example',
])('an address with credentials is refused without showing them: %s', (base_url) => {
  const { error } = embeddingSettings.schema.safeParse({ base_url })

  expect(error?.issues).toMatchObject([{ path: ['base_url'] }])
  expect(error?.message).toContain('must not hold credentials')
  expect(error?.message).not.toContain('word')
})

test('accepts any path in an address without credentials', () => {
  const base_url = 'https://models.example/v1@2'

  expect(embeddingSettings.schema.parse({ base_url })).toMatchObject({ base_url })
})
