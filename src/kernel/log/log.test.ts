import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manualClockHost } from '../testing/manual-clock-host.ts'
import { createLog, openLog } from './log.ts'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const quiet = { write: () => {} }

test.each([
  { token: 'hush' },
  { headers: { authorization: 'hush' } },
  { headers: { 'x-api-key': 'hush' } },
  { request: { headers: { cookie: 'hush' } } },
  { secret: { value: 'hush' } },
  { config: { provider: { api_key: 'hush' } } },
])('redacts values of secret fields: %o', (fields) => {
  const lines: string[] = []
  createLog('info', { write: (line) => lines.push(line) }).info(fields, 'request')

  expect(lines.join()).toContain('[redacted]')
  expect(lines.join()).not.toContain('hush')
})

test('retains the last entries with their category', () => {
  const { log, recent, file } = openLog({ level: 'info', destination: quiet })
  log.child({ category: 'jobs' }).warn({ job: 1 }, 'job failed')
  log.info('ready')
  log.debug('not said')

  expect(recent()).toMatchObject([
    { level: 'warn', category: 'jobs', message: 'job failed' },
    { level: 'info', category: 'daemon', message: 'ready' },
  ])
  expect(recent()[0]?.at).toMatch(/^\d{4}-.*Z$/)
  expect(file).toBeUndefined()
})

test('truncates a long message in the retained entries', () => {
  const { log, recent } = openLog({ level: 'info', destination: quiet })
  log.info('x'.repeat(1_000_000))

  expect(recent()[0]?.message).toHaveLength(2_000)
})

test('writes the log to a file when a folder is given', async () => {
  const folder = await temporaryFolder()
  const { log, file = '', close } = openLog({ level: 'info', destination: quiet, folder })
  log.info('saved')
  await close()

  expect(file).toBe(join(folder, 'daemon.log'))
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ msg: 'saved' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('`writeToFileOnly` stops writing to the destination', async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const logging = openLog({ level: 'info', destination, folder: await temporaryFolder() })
  logging.log.info('one')
  logging.writeToFileOnly()
  logging.log.info('two')
  await logging.close()

  expect(lines).toHaveLength(1)
  expect(logging.recent()).toHaveLength(2)
  expect(await readFile(logging.file ?? '', 'utf8')).toContain('two')
})

test('reports a write failure once and continues', async () => {
  const folder = join(await temporaryFolder(), 'a-file')
  await writeFile(folder, '')
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const { log } = openLog({ level: 'info', destination, folder })
  log.info('one')

  await expect.poll(() => lines.join('')).toContain('log file not written')
  log.info('two')
  expect(lines.join('')).toContain('two')
})

test('resumes writing when the file is writable again', async () => {
  const folder = join(await temporaryFolder(), 'logs')
  await writeFile(folder, '')
  const host = manualClockHost()
  const output: string[] = []
  const destination = { write: (line: string) => output.push(line) }
  const { log, file = '', close } = openLog({ level: 'info', destination, folder, now: host.now })
  log.info('one')
  await expect.poll(() => output.join('')).toContain('log file not written')
  await rm(folder)

  log.info('two')
  host.advance(60_000)
  log.info('three')
  await close()

  expect(await readFile(file, 'utf8')).toMatch(/^[^\n]*three[^\n]*\n$/)
})

test('an entry has the details, the duration and the error of its line, without credentials', () => {
  const { log, recent } = openLog({ level: 'info', destination: quiet })
  const secret = `ghp_${'a1B2'.repeat(9)}`
  log.warn({ path: `/x?key=${secret}`, list: [secret], durationMs: 12, err: new TypeError(secret) })
  log.info({ long: 'x'.repeat(5_000) }, 'long')

  const [entry, long] = recent()
  expect(entry).toMatchObject({
    data: { path: expect.stringContaining('/x?key=') },
    duration: 12,
    error: { name: 'TypeError', stack: expect.any(String) },
  })
  expect(JSON.stringify(entry)).not.toContain(secret)
  expect(long?.data).toEqual({ truncated: true })
})

test('writes to the file that its name selects', async () => {
  const folder = await temporaryFolder()
  const fileName = join(folder, 'elsewhere', 'own.log')
  const { log, file, close } = openLog({ level: 'info', destination: quiet, folder, fileName })
  log.info('saved')
  await close()

  expect(file).toBe(fileName)
  expect(await readFile(fileName, 'utf8')).toContain('saved')
})
