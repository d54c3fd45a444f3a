import { createHash } from 'node:crypto'
import { type FakeOrigin, type OriginAnswer, startFakeOrigin } from './fake-origin.ts'

export interface FakeWebsite extends FakeOrigin {
  /** Publishes a page with this text and these links. */
  put(path: string, page: { readonly text: string; readonly links?: readonly string[] }): void
  remove(path: string): void
  /** Sets the answer for a path, such as `/robots.txt`. */
  answer(path: string, answer: OriginAnswer): void
}

/** A website of HTML pages with ETags and `robots.txt`. */
export async function startFakeWebsite(): Promise<FakeWebsite> {
  const answers = new Map<string, OriginAnswer>()
  const server = await startFakeOrigin(({ path, headers }) => {
    const answer = answers.get(path)
    if (!answer) return { status: 404, body: 'Not found' }
    const etag = answer.headers?.['etag']
    return etag !== undefined && headers['if-none-match'] === etag ? { status: 304 } : answer
  })
  return {
    ...server,
    put: (path, { text, links = [] }) => {
      const body = toPage(path, { text, links })
      const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
      answers.set(path, { headers: { etag }, body })
    },
    remove: (path) => {
      answers.delete(path)
    },
    answer: (path, answer) => {
      answers.set(path, answer)
    },
  }
}

function toPage(path: string, { text, links }: { text: string; links: readonly string[] }): string {
  const anchors = links.map((link) => `<li><a href="${link}">Page ${link}</a></li>`).join('')
  return `<!doctype html><html><head><title>Title of ${path}</title></head>
    <body><h1>About ${path}</h1><p>${text}</p><ul>${anchors}</ul></body></html>`
}
