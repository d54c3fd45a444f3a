/** With the first page read: what goes wrong before it is told like any other fault. */
export async function begun<Page>(pages: AsyncGenerator<Page>): Promise<AsyncIterable<Page>> {
  const first = await pages.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* pages
  })()
}
