import { expect, onTestFinished, test } from 'vitest'
import { startFakeCodeHost } from '../../../../../test/support/fake-code-host.ts'
import { startFakeOrigin } from '../../../../../test/support/fake-origin.ts'
import { sourcesSettings } from '../../config.ts'
import { addSource } from '../../manage.ts'
import { ada, onEachEngine } from '../../sources.fixture.ts'
import { describeRemoteKind, remoteKit, syntheticToken } from '../remote-kind.contract.ts'
import { type CodeHostRequest, draftCodeHost } from './settings.ts'

const { agentId } = ada
const tokenRef = 'SYNTHETIC_TOKEN'

async function codeHost() {
  const origin = await startFakeCodeHost(syntheticToken)
  onTestFinished(() => origin.stop())
  const config = () => sourcesSettings.schema.parse({ codeHost: { apiUrl: origin.url } })
  return { origin, options: { config } }
}

const draft = (request: Partial<CodeHostRequest> = {}) =>
  draftCodeHost({ agentId, repos: ['moss/garden'], tokenRef, ...request }, undefined)

const texts = {
  one: 'The quillwort grows in shallow water.',
  two: 'The sphagnum covers the bog.',
  three: 'The liverwort grows on wet stones.',
}
const numbers = { one: 1, two: 2, three: 3 }

describeRemoteKind('code-host', async () => {
  const { origin, options } = await codeHost()
  const repo = origin.repo('moss/garden')
  const put = (name: keyof typeof numbers, body: string) => {
    const number = numbers[name]
    const comments = name === 'two' ? ['Agreed by all of us.'] : []
    repo.issues.set(number, { number, title: `Question ${name}`, body, comments })
  }
  for (const name of ['one', 'two', 'three'] as const) put(name, texts[name])
  return {
    origin,
    options,
    draft: draft(),
    put,
    remove: (name) => {
      repo.issues.delete(numbers[name])
    },
    pathOf: (name) => `code-host://moss/garden/issues/${numbers[name]}`,
    listing: /GET \/repos\/moss\/garden\/issues\?/,
    two: /GET \/repos\/moss\/garden\/issues\/2\/comments/,
  }
})

onEachEngine(
  'issues, pull requests, discussions and documents are read with their comments',
  async (db) => {
    const { origin, options } = await codeHost()
    const repo = origin.repo('moss/garden')
    repo.issues.set(1, {
      number: 1,
      title: 'Slugs',
      body: 'Slugs eat the hostas.',
      labels: ['pest'],
    })
    repo.issues.set(2, {
      number: 2,
      title: 'Fence',
      body: 'Copper fence.',
      isPull: true,
      comments: ['Nice fence work.'],
    })
    const comments = ['First thought.', 'Second thought.', 'Third thought.']
    repo.discussions.set(3, { number: 3, title: 'Compost', body: 'Which compost?', comments })
    repo.files.set('README.md', '# Garden\n\nThe manual of the garden.')
    repo.files.set('docs/deep/soil.md', 'Soil needs air and water.')
    repo.files.set('src/main.rs', 'fn main() {}')
    const kit = await remoteKit(db, { origin, options })

    const source = draft({ docPaths: ['README.md', 'docs/**/*.md'] })
    await addSource(kit, source)
    expect(await kit.settle(source.id)).toMatchObject({ status: 'complete', scanned: 9 })
    expect(await kit.listPaths(source.id)).toEqual(
      [
        'discussions/3',
        'discussions/3#comment-3000',
        'discussions/3#comment-3001',
        'discussions/3#comment-3002',
        'docs/README.md',
        'docs/docs/deep/soil.md',
        'issues/1',
        'pulls/2',
        'pulls/2#comment-2000',
      ].map((path) => `code-host://moss/garden/${path}`),
    )
    const chunks = await kit.listChunks(source.id)
    expect(chunks.find(({ text }) => text.includes('hostas'))).toMatchObject({
      heading: 'Slugs (moss/garden#1)',
      sourceType: 'source_chunk',
      text: expect.stringContaining('Issue #1 of moss/garden, open, by ada'),
    })

    const before = origin.requests.length
    expect(await kit.run(source.id)).toMatchObject({ status: 'complete', indexed: 0 })
    const paths = origin.requests.slice(before).map(({ path }) => path)
    expect(paths).toEqual([
      '/repos/moss/garden/git/trees/HEAD',
      '/repos/moss/garden/issues',
      '/graphql',
    ])
  },
)

onEachEngine('a missing repository fails alone, and its rows stay', async (db) => {
  const { origin, options } = await codeHost()
  origin.repo('moss/garden').issues.set(1, { number: 1, title: 'A', body: 'Words of an issue.' })
  const kit = await remoteKit(db, { origin, options })

  const source = draft({ repos: ['moss/garden', 'moss/nothing'] })
  await addSource(kit, source)
  expect(await kit.settle(source.id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('1 item failed'),
  })
  expect(await kit.listPaths(source.id)).toContain('code-host://moss/garden/issues/1')
})

onEachEngine(
  'all repositories of an owner are read, and one that is gone is removed',
  async (db) => {
    const { origin, options } = await codeHost()
    for (const name of ['a', 'b'])
      origin
        .repo(`moss/${name}`)
        .issues.set(1, { number: 1, title: name, body: `The issue of ${name}.` })
    const kit = await remoteKit(db, { origin, options })

    const source = draft({ repos: ['moss/*'] })
    await addSource(kit, source)
    await kit.settle(source.id)
    expect(await kit.listPaths(source.id)).toHaveLength(2)

    origin.isOrganisation = true
    origin.removeRepo('moss/b')
    expect(await kit.run(source.id)).toMatchObject({ status: 'complete' })
    expect(await kit.listPaths(source.id)).toEqual(['code-host://moss/a/issues/1'])
    for (let number = 0; number < 120; number++) origin.repo(`moss/r${number}`)
    expect(await kit.run(source.id)).toMatchObject({ status: 'complete' })
    expect(origin.requests.filter(({ path }) => path.includes('/r119/'))).not.toEqual([])
  },
)

onEachEngine('an own server has its queries next to its version', async (db) => {
  const { origin } = await codeHost()
  const { discussions, files } = origin.repo('moss/garden')
  discussions.set(3, { number: 3, title: 'Compost', body: 'Which compost?' })
  files.set('README.md', '# Garden\n\nThe manual of the garden.')
  const config = () => sourcesSettings.schema.parse({ codeHost: { apiUrl: origin.enterpriseUrl } })
  const kit = await remoteKit(db, { origin, options: { config } })
  const source = draft()
  await addSource(kit, source)

  expect(await kit.settle(source.id)).toMatchObject({ status: 'complete' })
  expect(await kit.listPaths(source.id)).toHaveLength(2)
  const paths = origin.requests.map(({ path }) => path)
  expect(paths).toContain('/api/graphql')
  expect(paths).toContain('/api/v3/repos/moss/garden/issues')
})

onEachEngine('more items than the limit are not read, and nothing is removed', async (db) => {
  const { origin, options } = await codeHost()
  const { issues } = origin.repo('moss/garden')
  for (let number = 1; number <= 250; number++)
    issues.set(number, { number, title: `Issue ${number}`, body: `The words of ${number}.` })
  const kit = await remoteKit(db, { origin, options })

  const source = draft({ maxItemsPerRepo: 120 })
  await addSource(kit, source)
  expect(await kit.settle(source.id)).toMatchObject({ status: 'complete', scanned: 120 })
  issues.delete(250)
  await kit.run(source.id)
  const paths = await kit.listPaths(source.id)
  expect(paths).toContain('code-host://moss/garden/issues/250')
  expect(paths).toHaveLength(121)
})

onEachEngine('a next link to another origin is not followed', async (db) => {
  const { origin, options } = await codeHost()
  const foreign = await startFakeOrigin(() => ({ body: [] }))
  onTestFinished(() => foreign.stop())
  origin.repo('moss/garden').issues.set(1, { number: 1, title: 'A', body: 'Words of an issue.' })
  origin.nextLink = `${foreign.url}/repos/moss/garden/issues?page=2`
  const kit = await remoteKit(db, { origin, options })

  const source = draft()
  await addSource(kit, source)
  expect(await kit.settle(source.id)).toMatchObject({ status: 'failed' })
  expect(foreign.requests).toEqual([])
})

onEachEngine('pages that repeat for ever end', async (db) => {
  const { origin, options } = await codeHost()
  origin.repo('moss/garden').issues.set(1, { number: 1, title: 'A', body: 'Words of an issue.' })
  origin.nextLink = `${origin.url}/repos/moss/garden/issues?page=1`
  const kit = await remoteKit(db, { origin, options })

  const source = draft({ resourceTypes: ['issues'] })
  await addSource(kit, source)
  expect(await kit.settle(source.id)).toMatchObject({ status: 'complete' })
  expect(origin.requests.length).toBeLessThan(5)
})

onEachEngine('a limit of the hour pauses until its reset', async (db) => {
  const { origin, options } = await codeHost()
  origin.repo('moss/garden').issues.set(1, { number: 1, title: 'A', body: 'Words of an issue.' })
  const kit = await remoteKit(db, { origin, options })
  const reset = Math.ceil(kit.host.now().getTime() / 1_000) + 1_800
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) }
  origin.fail(/issues\?/, { status: 403, headers, body: { message: 'API rate limit exceeded' } })

  const source = draft()
  await addSource(kit, source)
  expect(await kit.settle(source.id)).toMatchObject({
    status: 'paused',
    pauseReason: 'rate_limited',
    retryAt: new Date(reset * 1_000).toISOString(),
  })
})

const minuteLimits = [
  [/issues\?/, { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } }],
  [/issues\?/, { status: 429, body: { message: 'Too many requests' } }],
  [/graphql/, { body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] } }],
] as const

onEachEngine('secondary limits and limits of queries pause for a minute', async (db) => {
  const { origin, options } = await codeHost()
  origin.repo('moss/garden').discussions.set(1, { number: 1, title: 'A', body: 'Some words.' })
  const kit = await remoteKit(db, { origin, options })
  const source = draft()
  for (const [match, fault] of minuteLimits) {
    origin.fail(match, fault)
    await addSource(kit, source)
    const retryAt = new Date(kit.host.now().getTime() + 60_000).toISOString()
    expect(await kit.settle(source.id)).toMatchObject({ pauseReason: 'rate_limited', retryAt })
  }
  expect(await kit.run(source.id)).toMatchObject({ status: 'complete' })
})

test.each([
  ['ghp', '_', 'x'.repeat(36)],
  ['github', '_pat_', 'x'.repeat(40)],
  ['Bearer ', 'x'.repeat(20)],
  ['two words'],
])('a token in place of its name is refused', (...parts) => {
  expect(() => draft({ tokenRef: parts.join('') })).toThrow('name of a secret')
})

test.each([
  ['/README.md'],
  ['docs/../x.md'],
  ['docs\\x.md'],
  ['x.md?raw'],
  ['main.rs'],
  ['**/x.md'],
])('the path %s is refused', (path) => {
  expect(() => draft({ docPaths: [path] })).toThrow('docPaths must be')
})

test('a request that omits settings retains those of the source', () => {
  const first = { ...draft({ labels: ['pest'], name: 'Garden' }), id: 'x' }
  const existing = {
    ...first,
    enabled: true,
    mode: 'read-only',
    createdAt: '',
    updatedAt: '',
    generation: 'g',
  } as const
  expect(draftCodeHost({ agentId, repos: ['Moss/Garden'], state: 'open' }, existing)).toMatchObject(
    {
      name: 'Garden',
      providerSettings: { labels: ['pest'], tokenRef, state: 'open', repos: ['moss/garden'] },
    },
  )
  expect(() =>
    draftCodeHost({ agentId, repos: ['a/b'], resourceTypes: ['discussions'] }, undefined),
  ).toThrow('need a token')
})
