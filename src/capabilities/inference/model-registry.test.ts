import { expect, onTestFinished, test } from 'vitest'
import { startModelUpstream } from '../../../test/support/model-upstream.ts'
import { createLog } from '../../kernel/log/log.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { credentialsOf } from './inference.fixture.ts'
import { createModelRegistry } from './model-registry.ts'
import { openOutbound } from './oauth/oauth.fixture.ts'
import { createLiveSettings } from './runtime/live-settings.ts'

/** One local server that runs, one that does not, and one that lists nothing. */
async function openRegistry() {
  const upstream = await startModelUpstream()
  onTestFinished(() => upstream.stop())
  const models = { m: { model: 'llama' } }
  const targets = {
    home: { executor: 'ollama', endpoint: upstream.url, models },
    away: { executor: 'ollama', endpoint: 'http://127.0.0.1:9', models },
    blank: { executor: 'openai-compatible', endpoint: `${upstream.url}/blank`, models },
  }
  const host = manualClockHost()
  const raw = { read: () => ({ section: { targets }, extraction: undefined }), onChange: () => {} }
  const settings = createLiveSettings(raw, createLog('silent'))
  const credentials = credentialsOf(undefined)
  const registry = createModelRegistry({ host, outbound: openOutbound(), settings, credentials })
  return { host, registry }
}

test('models of a running server are listed, and each failed listing has an error', async () => {
  const { registry } = await openRegistry()
  const { models, errors, providers } = await registry.read()

  expect(models.filter(({ provider }) => provider === 'home')).toMatchObject([
    { id: 'llama:latest' },
  ])
  expect(errors).toEqual({
    away: 'The provider did not list its models.',
    blank: 'The provider lists no model.',
  })
  expect(providers).toEqual(expect.arrayContaining(['away', 'blank', 'home', 'openai']))
})

test('a failed listing is repeated after a minute', async () => {
  const { host, registry } = await openRegistry()
  const first = await registry.read()
  expect(await registry.read()).toBe(first)
  host.advance(60_000)

  expect(await registry.read()).not.toBe(first)
})
