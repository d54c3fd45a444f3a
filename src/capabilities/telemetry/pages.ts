/** Reads the first page, so that its errors become an error reply. */
export async function readFirstPage<Page>(
  pages: AsyncGenerator<Page>,
): Promise<AsyncIterable<Page>> {
  const first = await pages.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* pages
  })()
}
