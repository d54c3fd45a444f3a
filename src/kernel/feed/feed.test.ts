import { expect, test } from 'vitest'
import { Feed } from './feed.ts'

const lasting = new AbortController().signal
const shape = { size: 3, life: 'a' }

function feedOf(...items: string[]) {
  const feed = new Feed<string>(shape)
  for (const item of items) feed.add(item)
  return feed
}

async function take(count: number, from: ReturnType<Feed<string>['follow']>) {
  const taken: string[] = []
  for await (const entry of from) {
    taken.push('isGap' in entry ? 'gap' : entry.item)
    if (taken.length === count) break
  }
  return taken
}

test('retains the last items, the oldest first', () => {
  expect(feedOf('1', '2', '3', '4').list()).toEqual(['2', '3', '4'])
})

test('a follower receives every item after the call', async () => {
  const feed = feedOf('before')
  const following = feed.follow(lasting)
  feed.add('first')
  const first = await following.next()
  const second = following.next()
  feed.add('second')

  expect(first.value).toEqual({ id: 'a-2', item: 'first' })
  expect((await second).value).toEqual({ id: 'a-3', item: 'second' })
})

test.each([
  { id: 'a-3', items: ['4', '5'] },
  { id: 'a-4', items: ['5'] },
  // The oldest item is the next one.
  { id: 'a-2', items: ['3', '4', '5'] },
  // Evicted, from an earlier life, malformed, or not assigned yet.
  ...['a-1', 'b-4', 'nonsense', 'a-', 'a-99', 'a-4.5'].map((id) => ({
    id,
    items: ['gap', '3', '4', '5'],
  })),
])('resuming after $id returns $items', async ({ id, items }) => {
  const feed = feedOf('1', '2', '3', '4', '5')

  expect(await take(items.length, feed.follow(lasting, id))).toEqual(items)
})

test('a follower that has received all items waits for new ones', async () => {
  const feed = feedOf('1')
  const next = feed.follow(lasting, 'a-1').next()
  feed.add('2')

  expect((await next).value).toEqual({ id: 'a-2', item: '2' })
})

test('a follower that falls behind receives a gap and continues at the oldest item', async () => {
  const feed = feedOf()
  const following = feed.follow(lasting)
  for (const item of ['1', '2', '3', '4']) feed.add(item)

  expect(await take(4, following)).toEqual(['gap', '2', '3', '4'])
})

test('ends a follower immediately when its signal aborts', async () => {
  const leaving = new AbortController()
  const next = feedOf('1').follow(leaving.signal).next()
  leaving.abort()

  expect(await next).toEqual({ done: true, value: undefined })
})

test('followers of a feed that gathers receive what was added meanwhile at once', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const feed = new Feed<string>({ ...shape, gather: () => isOver })
  const next = feed.followBatches(lasting).next()
  for (const item of ['1', '2', '3', '4']) feed.add(item)
  end()

  expect((await next).value).toEqual([
    { isGap: true },
    { id: 'a-2', item: '2' },
    { id: 'a-3', item: '3' },
    { id: 'a-4', item: '4' },
  ])
})
