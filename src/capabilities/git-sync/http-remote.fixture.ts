import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { onTestFinished } from 'vitest'

/** A server of the folder of a bare repository that asks for a password; a silent one never answers. */
export async function serveOverHttp(remote: string, password: string, isSilent = false) {
  const authorized = `Basic ${Buffer.from(`x-access-token:${password}`).toString('base64')}`
  const server = createServer((request, response) => {
    if (isSilent) return
    if (request.headers.authorization === authorized) return runBackend(remote, request, response)
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/remote.git` }
}

/** Runs the CGI program of git. */
function runBackend(remote: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: '/usr/bin:/bin',
      GIT_PROJECT_ROOT: dirname(remote),
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'robin',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: String(searchParams),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  })
  request.pipe(backend.stdin)
  const chunks: Buffer[] = []
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  backend.on('close', () => {
    const output = Buffer.concat(chunks)
    const end = output.indexOf('\r\n\r\n')
    const fields = output
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const headers = Object.fromEntries(fields)
    response.writeHead(Number.parseInt(headers['Status'] ?? '200', 10), headers)
    response.end(output.subarray(end + 4))
  })
}
