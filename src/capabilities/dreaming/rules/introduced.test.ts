import { expect, test } from 'vitest'
import { read, readAll } from './rules.fixture.ts'

test.each([
  ['The billing service runs on port 8080.', ['billing service · port · 8080']],
  ['Our auth gateway is hosted on Nordhost.', ['auth gateway · deployed_on · Nordhost']],
  [
    'The invoice worker is written in Go. It depends on Kafka.',
    ['invoice worker · language · Go', 'invoice worker · depends_on · Kafka'],
  ],
  ['Our staging database is MySQL.', ['staging database · database · MySQL']],
  ['Our staging database runs on port 5433.', ['staging database · port · 5433']],
  ['Unser Testserver läuft auf Port 8080.', ['Testserver · port · 8080']],
  ['Unsere Staging-Datenbank ist MySQL.', ['Staging-Datenbank · database · MySQL']],
  ['Der Rechnungsserver läuft jetzt auf Hetzner.', ['Rechnungsserver · ? · Hetzner']],
  ['我们的测试数据库是MySQL。', ['测试数据库 · database · MySQL']],
  ['我们的测试服务器运行在阿里云上。', ['测试服务器 · deployed_on · 阿里云']],
])('a described part of a system is a subject: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'Unser Server läuft auf Port 8080.',
  'Unser Testserver ist kaputt.',
  'Unser Testserver gehört Olu Adeyemi.',
  'Der Gasserver läuft auf Port 8080.',
  'Ein Testserver läuft auf Port 8080.',
  'Läuft unser Testserver auf Port 8080?',
  '我们的数据库是MySQL。',
  '我们的测试数据库坏了。',
  '我们的测试数据库是MySQL吗？',
  'The bus service runs on Sundays.',
  'The bus service runs on Nordhost.',
  'The new service runs on port 8080.',
  'The service runs on port 8080.',
  'The billing service is slow.',
  'The billing service is due on 3 May.',
  'The billing service is owned by Olu Adeyemi.',
  'A billing service runs on port 8080.',
  'If the billing service runs on port 8080, tell me.',
  'Does the billing service run on port 8080?',
])('no statement about a described part: %j', (text) => {
  expect(readAll(text)).toEqual([])
})

test.each([
  ['The coffee was good.', { noSubject: 1 }],
  ['Ferry is a nice name.', { noStatement: 1 }],
  ['I like walking.', { noStatement: 1 }],
  ['Does Ferry use Kafka?', { question: 1 }],
])('the reason why %j is not read', (text, expected) => {
  expect(read(text).skipped).toEqual(expected)
})

test('a first person without an author has no speaker', () => {
  expect(read('I live in Ferrol.', { speaker: null }).skipped).toEqual({ unknownSpeaker: 1 })
})
