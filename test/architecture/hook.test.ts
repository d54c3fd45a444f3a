import { globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readEnvironment as readDaemonEnvironment } from '../../src/kernel/config/environment.ts'
import { readEnvironment as readCliEnvironment } from '../../src/surfaces/cli/environment.ts'
import { readEnvironment as readHookEnvironment } from '../../src/surfaces/hook/environment.ts'

const sources = globSync('src/surfaces/hook/*.ts', { exclude: ['**/*.test.ts'] })

// The hook starts for every prompt, so each loaded module delays every prompt.
test.each(sources)('%s imports only node: modules and its neighbours', (path) => {
  const loaded = readFileSync(path, 'utf8').matchAll(/(?:from |import |import\()'([^']+)'/g)
  const modules = [...loaded].map(([, name = '']) => name)

  expect(modules.filter((name) => !/^(node:[a-z/]+|\.\/[a-z-]+\.ts)$/.test(name))).toEqual([])
})

test.each([
  ['', join(homedir(), '.svc')],
  ['~', homedir()],
  ['~/notes', join(homedir(), 'notes')],
  ['~ada', resolve('~ada')],
  ['notes', resolve('notes')],
  ['/notes/', '/notes'],
])('%j is the same workspace for hook, command line and daemon', (written, workspace) => {
  vi.stubEnv('SVC_PATH', written)
  onTestFinished(() => void vi.unstubAllEnvs())

  expect(readHookEnvironment().workspace).toBe(workspace)
  expect(readCliEnvironment().workspace).toBe(workspace)
  expect(readDaemonEnvironment().SVC_PATH).toBe(workspace)
})
