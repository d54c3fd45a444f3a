import { expect, onTestFinished, vi } from 'vitest'
import type { FakeOrigin } from '../../../../test/support/fake-origin.ts'
import { outboundTo } from '../../../kernel/outbound/outbound.fixture.ts'
import { addSource } from '../manage.ts'
import type { SourcesOptions } from '../needs.ts'
import type { SourceDraft } from '../source.ts'
import { onEachEngine, type SourcesKit, sourcesKit } from '../sources.fixture.ts'
import { describeKind, type ItemName, wordsOf } from './kind.contract.ts'

/** An origin with the items `one`, `two` and `three`, each with a text. */
export interface RemoteSetup {
  readonly origin: FakeOrigin
  readonly draft: SourceDraft
  readonly options?: Partial<SourcesOptions>
  put(item: ItemName, text: string): void
  remove(item: ItemName): void
  pathOf(item: ItemName): string
  /** Requests that list items. */
  readonly listing: RegExp
  /** Requests without which the item `two` cannot be read. */
  readonly two: RegExp
}
export const syntheticToken = ['synthetic', 'token', 'of', 'tests'].join('-')

/** Every reference but `MISSING` has this value. */
const credentials: SourcesOptions['credentials'] = {
  resolve: async (reference) => (reference === 'MISSING' ? undefined : syntheticToken),
}

/** A kit whose outbound calls reach this origin alone. */
export async function remoteKit(
  db: Parameters<typeof sourcesKit>[0],
  { origin, options }: Pick<RemoteSetup, 'origin' | 'options'>,
): Promise<SourcesKit> {
  const allowedOrigins = () => [origin.url]
  const outbound = outboundTo(allowedOrigins())
  const kit = await sourcesKit(db, { outbound, credentials, allowedOrigins, ...options })
  onTestFinished(() => kit.scheduler.close())
  return kit
}

type Run = RemoteSetup & { readonly kit: SourcesKit; readonly id: string }
type WithOrigin = (name: string, run: (setup: Run) => Promise<void>) => void

/** What every kind of source on the network does. */
export function describeRemoteKind(
  kind: string,
  start: () => Promise<RemoteSetup>,
  { usesToken = true } = {},
): void {
  const withOrigin: WithOrigin = (name, run) =>
    onEachEngine(`${kind}: ${name}`, async (db) => {
      const setup = await start()
      onTestFinished(() => setup.origin.stop())
      await run({ ...setup, kit: await remoteKit(db, setup), id: setup.draft.id })
    })
  describeKind((name, run) => withOrigin(name, (setup) => run({ ...setup, add: () => add(setup) })))
  describeFaults(withOrigin)
  describeHostility(withOrigin)
  describeEnds(withOrigin)
  if (usesToken) describeToken(withOrigin)
}

async function add({ kit, draft }: Run) {
  await addSource(kit, draft)
  return kit.settle(draft.id)
}

/** Failures of the server stand apart: five in a row open the circuit breaker. */
const hostileAnswers = [
  { status: 500 },
  { status: 403, body: { message: 'Forbidden' } },
  'truncate',
  { status: 404 },
  { headers: { 'content-type': 'application/pdf' }, body: '{"results": [{' },
  'endless',
  'bomb',
] as const

/** Delays of the run take no time. Returns how to end that. */
export function skipDelays({ host }: Pick<SourcesKit, 'host'>): () => void {
  const maxSkippedMs = 10_000
  const clock = setInterval(() => {
    if (host.sleeps().some((ms) => ms <= maxSkippedMs)) host.advance(maxSkippedMs)
  }, 5)
  return () => clearInterval(clock)
}

function describeHostility(withOrigin: WithOrigin): void {
  withOrigin(
    'whatever the listing answers, nothing is removed and the token stays',
    async (setup) => {
      const { kit, id, origin, listing, pathOf } = setup
      await add(setup)
      onTestFinished(skipDelays(kit))
      for (const fault of hostileAnswers) {
        origin.fail(listing, fault, 10)
        const job = await kit.run(id)
        expect([fault, job?.status]).toEqual([fault, 'failed'])
        expect(job?.error).not.toContain(syntheticToken)
        const paths = await kit.listPaths(id)
        for (const item of ['one', 'two', 'three'] as const) expect(paths).toContain(pathOf(item))
        origin.heal()
      }
      expect(await kit.run(id)).toMatchObject({ status: 'complete' })
    },
  )
}

function describeFaults(withOrigin: WithOrigin): void {
  withOrigin(
    'a failed item fails alone, and nothing is removed until all are read',
    async (setup) => {
      const { kit, id, origin, put, remove, two, pathOf } = setup
      await add(setup)
      put('two', 'The bracken stands in place of the moss here.')
      remove('three')
      origin.fail(two, { status: 418 }, 20)

      expect(await kit.run(id)).toMatchObject({ status: 'failed', partial: true })
      expect(await kit.listPaths(id)).toContain(pathOf('three'))
      expect(await wordsOf(setup)).toContain('quillwort')

      origin.heal()
      expect(await kit.run(id)).toMatchObject({ status: 'complete' })
      const paths = await kit.listPaths(id)
      expect(paths).not.toContain(pathOf('three'))
      expect(paths.filter((path) => path.includes('/failures/'))).toEqual([])
      expect(await wordsOf(setup)).toContain('bracken')
    },
  )

  withOrigin(
    'a cut connection, a truncated body and a fault of the server are repeated',
    async (setup) => {
      const { kit, origin, listing, draft } = setup
      origin.fail(listing, 'cut')
      origin.fail(listing, 'truncate')
      origin.fail(listing, { status: 503 })
      await addSource(kit, draft)
      for (let attempts = 1; attempts <= 3; attempts++) {
        await vi.waitFor(() => {
          expect(countRequests(origin, listing)).toBe(attempts)
          expect(kit.host.sleeps()).not.toEqual([])
        })
        kit.host.advance(60_000)
      }

      expect(await kit.settle(draft.id)).toMatchObject({ status: 'complete' })
    },
  )

  withOrigin('a short limit is waited for', async (setup) => {
    const { kit, origin, listing, draft } = setup
    origin.fail(listing, { status: 429, headers: { 'retry-after': '7' } })
    await addSource(kit, draft)
    await vi.waitFor(() => expect(kit.host.sleeps()).toContain(7_000))
    kit.host.advance(7_000)

    expect(await kit.settle(draft.id)).toMatchObject({ status: 'complete' })
  })

  withOrigin('a long limit pauses the run, which ends later', async (setup) => {
    const { kit, id, origin, listing } = setup
    origin.fail(listing, { status: 429, headers: { 'retry-after': '3600' } })

    const retryAt = new Date(kit.host.now().getTime() + 3_600_000).toISOString()
    expect(await add(setup)).toMatchObject({
      status: 'paused',
      pauseReason: 'rate_limited',
      retryAt,
    })
    expect(await kit.run(id)).toMatchObject({ status: 'complete' })
  })
}

function describeEnds(withOrigin: WithOrigin): void {
  withOrigin('a cancelled run ends, and the next one reads the rest', async (setup) => {
    const { kit, id, origin, two, draft } = setup
    origin.fail(two, 'hang')
    await addSource(kit, draft)
    await vi.waitFor(() => expect(countRequests(origin, two)).toBe(1))

    expect(await kit.scheduler.cancel(id, 'paused')).toBe(true)
    expect(kit.scheduler.find(id)).toMatchObject({ status: 'paused', pauseReason: 'paused' })
    expect(await kit.run(id)).toMatchObject({ status: 'complete' })
    expect(await wordsOf(setup)).toContain('sphagnum')
  })
}

function describeToken(withOrigin: WithOrigin): void {
  withOrigin('a refused token ends the run until the user acts', async (setup) => {
    const { origin } = setup
    origin.fail(/./, { status: 401, body: { message: 'Bad credentials' } }, 100)

    const job = await add(setup)
    expect(job).toMatchObject({ status: 'failed', isFinal: true })
    expect(job?.error).toContain('SYNTHETIC_TOKEN')
    expect(job?.error).not.toContain(syntheticToken)
  })

  withOrigin('a token without a value is named, and no request is sent', async (setup) => {
    const { kit, draft, origin } = setup
    const providerSettings = { ...draft.providerSettings, tokenRef: 'MISSING' }
    await addSource(kit, { ...draft, providerSettings })

    const job = await kit.settle(draft.id)
    expect(job).toMatchObject({ status: 'failed', isFinal: false })
    expect(job?.error).toContain('MISSING')
    expect(origin.requests).toEqual([])
  })
}

function countRequests({ requests }: FakeOrigin, match: RegExp): number {
  return requests.filter(({ method, path, query }) => match.test(`${method} ${path}?${query}`))
    .length
}
