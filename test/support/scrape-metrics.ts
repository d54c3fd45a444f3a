import { parseExposition } from '../../src/kernel/testing/parse-exposition.ts'
import type { Service } from './start-service.ts'

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Reads `/metrics` as a collector does; throws unless the text is of the format. */
export async function scrapeMetrics(service: Pick<Service, 'url' | 'tokenFor'>) {
  const authorization = `Bearer ${service.tokenFor('operator')}`
  const reply = await fetch(`${service.url}/metrics`, { headers: { authorization } })
  const type = reply.headers.get('content-type')
  if (reply.status !== 200 || type !== contentType) throw new Error(`${reply.status} ${type}`)
  return parseExposition(await reply.text())
}
