import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type HealthCheck, toHealth } from '../health/health.ts'
import { renderFallback } from './fallback-page.ts'

/** The pages of the dashboard, as its build lists them. */
export interface StaticPages {
  readonly folder: string
  /** Identifies this build of the pages. */
  readonly version: string
  readonly files: ReadonlyMap<string, StaticFile>
}

export interface PagesNeeds {
  /** Absent when the dashboard is not built, or disabled. */
  readonly pages: StaticPages | undefined
  readonly version: string
  /** The status of the service, for the plain page. */
  readonly readStatus: () => string
}

const fileList = z.object({
  version: z.string(),
  files: z.array(
    z.object({ path: z.string(), type: z.string(), size: z.int(), sha256: z.string() }),
  ),
})
type StaticFile = z.output<typeof fileList>['files'][number]

const basePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const pagePolicy = `${basePolicy}; require-trusted-types-for 'script'; trusted-types reverie`

const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

const assetsPrefix = '/ui/assets/'
const immutable = 'public, max-age=31536000, immutable'

/** Reads the list of files; undefined without a complete build. */
export async function readPages(folder: string): Promise<StaticPages | undefined> {
  const text = await readFile(join(folder, 'files.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { version, files } = fileList.parse(JSON.parse(text))
  return { folder, version, files: new Map(files.map((file) => [file.path, file])) }
}

/** Whether the pages are built. A disabled dashboard is no problem. */
export function pagesHealth(isEnabled: boolean, pages: StaticPages | undefined): HealthCheck {
  const reason = isEnabled && !pages && 'the pages are not built: run `npm run build`'
  const details = {
    enabled: isEnabled,
    built: pages !== undefined,
    version: pages?.version ?? null,
  }
  return { name: 'dashboard', check: async () => toHealth([reason], details) }
}

/** Serves the dashboard at `/` and below `/ui/`, or a plain page at `/` without it. */
export function mountPages(app: FastifyInstance, needs: PagesNeeds): void {
  const hiddenRoute = { schema: { hide: true } }
  const { pages } = needs
  app.get('/', hiddenRoute, (request, reply) =>
    pages ? sendPage(pages, request, reply) : sendFallback(needs, reply),
  )
  if (!pages) return
  app.get('/ui', hiddenRoute, (request, reply) => sendPage(pages, request, reply))
  app.get('/ui/*', hiddenRoute, (request, reply) => {
    const path = request.url.replace(/[?#].*$/, '')
    return path.startsWith(assetsPrefix)
      ? sendAsset(pages, path, request, reply)
      : sendPage(pages, request, reply)
  })
}

function sendPage(pages: StaticPages, request: FastifyRequest, reply: FastifyReply) {
  const page = pages.files.get('index.html')
  if (!page) return sendNotFound(reply)
  const etag = `"${page.sha256.slice(0, 32)}"`
  reply.headers({
    ...pageHeaders,
    'content-security-policy': pagePolicy,
    'cache-control': 'no-cache',
    'x-svc-dashboard': pages.version,
    etag,
  })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return sendFile(pages, page, request, reply)
}

/** Only listed names are served: a path is never built from the URL. */
function sendAsset(pages: StaticPages, path: string, request: FastifyRequest, reply: FastifyReply) {
  const file = pages.files.get(path.slice('/ui/'.length))
  if (!file) return sendNotFound(reply)
  reply.headers({
    'cache-control': immutable,
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': pagePolicy,
  })
  return sendFile(pages, file, request, reply)
}

/** A file that was removed from the disk is not found, as one that is not listed. */
async function sendFile(
  { folder }: StaticPages,
  { path, type, size }: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const isCompressed = /^(text|application|image\/svg)/.test(type) && acceptsGzip(request)
  const file = await open(join(folder, isCompressed ? `${path}.gz` : path)).catch(() => undefined)
  if (!file) return sendNotFound(reply.removeHeader('cache-control'))
  reply.type(type).header('vary', 'accept-encoding')
  if (isCompressed) reply.header('content-encoding', 'gzip')
  else reply.header('content-length', size)
  if (request.method !== 'HEAD') return await reply.send(file.createReadStream())
  await file.close()
  return await reply.send('')
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[^,]*)?(,|$)/i.test(
    String(headers['accept-encoding'] ?? ''),
  )
}

function sendFallback({ version, readStatus }: PagesNeeds, reply: FastifyReply) {
  return reply
    .headers({
      ...pageHeaders,
      'content-security-policy': basePolicy,
      'cache-control': 'no-cache',
      'x-svc-dashboard': 'plain',
    })
    .type('text/html; charset=utf-8')
    .send(renderFallback({ version, status: readStatus() }))
}

/** The page that a browser sees while the service starts. It loads itself again each second. */
export function sendStarting(reply: FastifyReply, version: string) {
  return reply
    .code(503)
    .headers({
      ...pageHeaders,
      'content-security-policy': basePolicy,
      'retry-after': '1',
      refresh: '1',
    })
    .type('text/html; charset=utf-8')
    .send(renderFallback({ version, status: 'starting' }))
}

function sendNotFound(reply: FastifyReply) {
  return reply.code(404).send({ error: 'Not found', code: 'not_found' })
}
