import type { FastifyInstance } from 'fastify'
import { describeApi } from './openapi.ts'
import type { Route } from './route.ts'

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"

/** Serves the API document and a page that renders it. The page loads nothing from other hosts. */
export function mountReference(app: FastifyInstance, routes: readonly Route[]): void {
  const hiddenRoute = { schema: { hide: true } }
  const readDocument = once(() => describeApi(app, routes))
  app.get('/openapi.json', hiddenRoute, async () => readDocument())
  for (const [url, [type, text]] of Object.entries(files))
    app.get(url, hiddenRoute, (_, reply) =>
      reply.header('content-security-policy', policy).type(`${type}; charset=utf-8`).send(text),
    )
}

function once<Result>(read: () => Result): () => Result {
  let cached: Result | undefined
  return () => {
    cached ??= read()
    return cached
  }
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>HTTP API</title>
<link rel="stylesheet" href="/reference/style.css">
<h1>HTTP API</h1>
<p>The same as a document: <a href="/openapi.json">openapi.json</a></p>
<input id="wanted" type="search" placeholder="Find an operation" aria-label="Find an operation">
<main></main>
<script type="module" src="/reference/page.js"></script>
</html>
`

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
:root { color-scheme: light dark }
summary { cursor: pointer; padding: .3rem 0 }
code, pre { font-family: ui-monospace, monospace }
pre { overflow: auto; padding: 1rem; border: 1px solid #8884; border-radius: .3rem }
input { width: 100%; padding: .5rem; box-sizing: border-box; font: inherit }
b { display: inline-block; min-width: 4.5rem }
`

const script = `const main = document.querySelector('main')
const element = (name, text, ...children) => {
  const made = document.createElement(name)
  made.textContent = text
  made.append(...children)
  return made
}
const { paths } = await (await fetch('/openapi.json')).json()
for (const [path, methods] of Object.entries(paths))
  for (const [method, operation] of Object.entries(methods)) {
    const { operationId, summary = '', parameters, requestBody, responses } = operation
    const heading = element('summary', '', element('b', method.toUpperCase()), element('code', path))
    const permission = element('p', operationId + ', permission ' + operation['x-permission'])
    const shapes = JSON.stringify({ parameters, requestBody, responses }, null, 2)
    main.append(element('details', '', heading, element('p', summary), permission, element('pre', shapes)))
  }
document.querySelector('#wanted').addEventListener('input', ({ target }) => {
  for (const each of main.children)
    each.hidden = !each.textContent.toLowerCase().includes(target.value.toLowerCase())
})
`

const files = {
  '/reference': ['text/html', page],
  '/reference/style.css': ['text/css', style],
  '/reference/page.js': ['text/javascript', script],
} as const
