import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig as parseInference } from '../../src/capabilities/inference/config/parse-config.ts'
import { executors } from '../../src/capabilities/inference/targets/target.ts'
import { settingsSections } from '../../src/daemon/daemon.ts'
import { parseConfig } from '../../src/kernel/config/config.ts'
import { readEnvironment } from '../../src/kernel/config/environment.ts'

const page = readFileSync('docs/inference.md', 'utf8')
const gatewayPage = readFileSync('docs/gateway.md', 'utf8')
const examples = [...page.matchAll(/```yaml\n([^`]*)```/g)].map(([, text = '']) => text)

test.each(examples)('an example of docs/inference.md has no issue:\n%s', (text) => {
  const { inference: section } = parse(text)
  const { issues, source, targets } = parseInference({ section, extraction: undefined })

  expect(issues).toEqual([])
  expect(source).toBe(targets.size > 0 ? 'explicit' : 'disabled')
  const config = { environment: readEnvironment({}), file: 'agent.yaml', text }
  expect(parseConfig(config, settingsSections).unknownSettings).toEqual([])
})

test('docs/inference.md has five ready configurations, and lists every executor', () => {
  const withTargets = examples.filter((text) => parse(text).inference.targets !== undefined)
  const [, listed = ''] = /Executors: ([^.]*)\./.exec(page) ?? []

  expect(withTargets).toHaveLength(5)
  expect([...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name).toSorted()).toEqual(
    executors.toSorted(),
  )
})

test('docs/gateway.md lists exactly the headers and the paths of the gateway', () => {
  const source = (file: string) => readFileSync(`src/capabilities/gateway/${file}.ts`, 'utf8')
  const read = [...source('routing').matchAll(/'(x-svc-[a-z-]+)'/g)].map(([, name]) => name)
  const shown = [...gatewayPage.matchAll(/^\| `(x-svc-[a-z-]+)` \|/gm)].map(([, name]) => name)
  const paths = [...source('routes').matchAll(/path: '([^'*]+)/g)].map(([, path = '']) => path)

  expect(shown.toSorted()).toEqual(['x-svc-agent-id', ...read].toSorted())
  expect(paths.filter((path) => !gatewayPage.includes(path.replace(/\/$/, '')))).toEqual([])
})
