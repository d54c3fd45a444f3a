import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { OriginAnswer } from '../../../../../test/support/fake-origin.ts'
import { startFakeWebsite } from '../../../../../test/support/fake-website.ts'
import { realHost } from '../../../../kernel/host/host.ts'
import { createLog } from '../../../../kernel/log/log.ts'
import { noChildLedger } from '../../../../kernel/testing/no-child-ledger.ts'
import { createExtraction } from '../../../extraction/index.ts'
import { addSource } from '../../manage.ts'
import { ada, onEachEngine } from '../../sources.fixture.ts'
import { describeRemoteKind, remoteKit } from '../remote-kind.contract.ts'
import { draftWeb } from './draft.ts'
import { parseRobots } from './robots.ts'

const extraction = createExtraction({
  host: realHost,
  log: createLog('silent'),
  children: noChildLedger,
})
afterAll(() => extraction.stop())
const options = { extractor: extraction.extractor }
const { agentId } = ada

const texts = {
  one: 'The quillwort grows in shallow water.',
  two: 'The sphagnum covers the bog.',
  three: 'The liverwort grows on wet stones.',
}

describeRemoteKind(
  'web',
  async () => {
    const origin = await startFakeWebsite()
    const present = new Set<string>(Object.keys(texts))
    const putIndex = () =>
      origin.put('/docs/', {
        text: 'The index of plants.',
        links: [...present].map((name) => `${name}.html`),
      })
    for (const [name, text] of Object.entries(texts)) origin.put(`/docs/${name}.html`, { text })
    putIndex()
    const draft = draftWeb({ agentId, url: `${origin.url}/docs/`, maxPages: 10 }, [origin.url])
    return {
      origin,
      draft,
      options,
      put: (name, text) => origin.put(`/docs/${name}.html`, { text }),
      remove: (name) => {
        present.delete(name)
        origin.remove(`/docs/${name}.html`)
        putIndex()
      },
      pathOf: (name) => `${origin.url}/docs/${name}.html`,
      listing: /GET \/docs\/\?/,
      two: /GET \/docs\/two\.html/,
    }
  },
  { usesToken: false },
)

async function website() {
  const origin = await startFakeWebsite()
  onTestFinished(() => origin.stop())
  return origin
}

onEachEngine(
  'links outside the folder, to other origins and refused by robots.txt are not read',
  async (db) => {
    const [origin, other] = [await website(), await website()]
    other.put('/docs/x', { text: 'The page of another origin.' })
    origin.answer('/robots.txt', {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nDisallow: /docs/private',
    })
    const links = [
      'a',
      '/elsewhere',
      'private/b',
      `${other.url}/docs/x`,
      'a#part',
      'mailto:x@y.example',
    ]
    origin.put('/docs/', { text: 'The start of the manual.', links })
    for (const path of ['/docs/a', '/elsewhere', '/docs/private/b'])
      origin.put(path, { text: path })
    const kit = await remoteKit(db, { origin, options })

    const draft = draftWeb({ agentId, url: `${origin.url}/docs/`, maxPages: 50 }, [origin.url])
    await addSource(kit, draft)
    expect(await kit.settle(draft.id)).toMatchObject({ status: 'complete', scanned: 2 })
    expect(await kit.listPaths(draft.id)).toEqual([`${origin.url}/docs/`, `${origin.url}/docs/a`])
    expect(other.requests).toEqual([])
  },
)

onEachEngine('a single page follows no link, and asks for no robots.txt', async (db) => {
  const origin = await website()
  origin.put('/page', { text: 'The only page that is read.', links: ['other'] })
  const kit = await remoteKit(db, { origin, options })

  const draft = draftWeb({ agentId, url: `${origin.url}/page` }, [origin.url])
  await addSource(kit, draft)
  expect(await kit.settle(draft.id)).toMatchObject({ status: 'complete', scanned: 1 })
  expect(origin.requests.map(({ path }) => path)).toEqual(['/page'])

  await kit.run(draft.id)
  expect(origin.requests.at(-1)?.headers['if-none-match']).toBeDefined()
})

const unreadable: readonly (readonly [string, OriginAnswer])[] = [
  ['http_status', { status: 403 }],
  ['http_status', { status: 404 }],
  ['content_type', { headers: { 'content-type': 'image/png' }, body: 'x' }],
  ['content_type', { headers: { 'content-encoding': 'snappy' }, body: 'x' }],
  ['response_size', { body: 'x'.repeat(5_242_881) }],
  ['unsafe_redirect', { status: 302, headers: { location: 'http://10.1.2.3/' } }],
  ['unsafe_redirect', { status: 302, headers: { location: 'file:///etc/passwd' } }],
  ['redirect_limit', { status: 302, headers: { location: '/page' } }],
  ['corrupt', { body: '<div>'.repeat(200_000) }],
]

onEachEngine('a page that cannot be read fails the run with a code', async (db) => {
  const origin = await website()
  const kit = await remoteKit(db, { origin, options })
  const draft = draftWeb({ agentId, url: `${origin.url}/page` }, [origin.url])
  for (const [code, answer] of unreadable) {
    origin.answer('/page', answer)
    await addSource(kit, draft)
    const job = await kit.settle(draft.id)
    expect([job?.status, job?.error?.split(':')[0]]).toEqual(['failed', code])
  }
  expect(await kit.listPaths(draft.id)).toEqual([])
})

test.each([
  'http://localhost/',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://169.254.169.254/latest/',
  'http://intranet/',
  'http://printer.local/',
  'http://db.internal/',
  'http://nas.home.arpa/',
  'http://site.test/',
  'https://site.invalid./',
])('the address %s is refused', (url) => {
  expect(() => draftWeb({ agentId, url }, [])).toThrow('not on the public internet')
})

test.each([
  ['ftp://site.example/', 'http or https'],
  ['site.example', 'http or https'],
  [`https://site.example/${'a'.repeat(2_048)}`, 'at most 2048'],
  ['https://user:pass@site.example/', 'credentials'],
])('the URL %.60s is refused', (url, error) => {
  expect(() => draftWeb({ agentId, url }, [])).toThrow(error)
})

test('the longest pattern of robots.txt decides, and groups of other agents do not count', () => {
  const { isAllowed, delaySeconds } = parseRobots(
    [
      'User-agent: other',
      'Disallow: /',
      '',
      'User-agent: *',
      'User-agent: second # comment',
      'Crawl-delay: 99',
      'Disallow: /a/',
      'Allow: /a/open',
      'Disallow: /*.pdf$',
      'Disallow:',
    ].join('\n'),
  )
  const paths = ['/', '/a/', '/a/open/x', '/file.pdf', '/file.pdf?x', '/b/c.pdf']
  expect(paths.map(isAllowed)).toEqual([true, false, true, false, true, false])
  expect(delaySeconds).toBe(10)
  expect(
    parseRobots('User-agent: svc\nDisallow: /x\n\nUser-agent: *\nDisallow: /').isAllowed('/y'),
  ).toBe(true)
})
