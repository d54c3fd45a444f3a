import { expect, test } from 'vitest'
import { read, readAll } from './rules.fixture.ts'

test.each([
  ['The billing service runs on port 8080.', ['billing service · port · 8080']],
  ['Our auth gateway is hosted on Nordhost.', ['auth gateway · deployed_on · Nordhost']],
  [
    'The invoice worker is written in Go. It depends on Kafka.',
    ['invoice worker · language · Go', 'invoice worker · depends_on · Kafka'],
  ],
])('a described part of a system is a subject: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
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
