import { expect, test } from 'vitest'
import { toBody } from './source-forms.ts'

test.each([
  ['notes-vault', { path: ' /notes ', name: '' }, { path: '/notes' }],
  [
    'web',
    { url: 'https://site.example/', maxPages: '20' },
    { url: 'https://site.example/', maxPages: 20 },
  ],
  [
    'code-host',
    { repos: 'a/b, c/d', tokenRef: 'HOST' },
    { repos: ['a/b', 'c/d'], tokenRef: 'HOST' },
  ],
  ['wiki', { tokenRef: 'WIKI', name: 'Handbook' }, { tokenRef: 'WIKI', name: 'Handbook' }],
  ['chat', { guildIds: '1 2', tokenRef: 'BOT' }, { guildIds: ['1', '2'], tokenRef: 'BOT' }],
  [
    'chat-live',
    { guildIds: '1', tokenRef: 'BOT' },
    { syncMode: 'gateway-tail', guildIds: ['1'], tokenRef: 'BOT' },
  ],
  ['chat-cache', {}, { syncMode: 'desktop-cache' }],
  // What was typed for another kind is not sent.
  [
    'web',
    { url: 'https://site.example/', path: '/notes', tokenRef: 'HOST' },
    { url: 'https://site.example/' },
  ],
] as const)('the form of %s with %j sends %j', (kind, values, body) => {
  expect(toBody(kind, values)).toEqual(body)
})
