import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sources = globSync('src/surfaces/hook/*.ts', { exclude: ['**/*.test.ts'] })

// It is started for every prompt: what it would load, every prompt would wait for.
test.each(sources)('%s loads node: modules and its neighbours alone', (path) => {
  const loaded = readFileSync(path, 'utf8').matchAll(/(?:from |import |import\()'([^']+)'/g)
  const modules = [...loaded].map(([, name = '']) => name)

  expect(modules.filter((name) => !/^(node:[a-z/]+|\.\/[a-z-]+\.ts)$/.test(name))).toEqual([])
})
